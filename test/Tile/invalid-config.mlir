// RUN: kiln-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expects powers of two, found 3}}
func.func private @gemv_config_powers() attributes {config = #tile.gemv_config<columns = 3, across = 1, split = 1, vector = 4, unroll = 4, along_depth = false, team = 1>}

// -----
// expected-error @+1 {{expects unroll > 0, found 0}}
func.func private @gemv_config_unroll() attributes {config = #tile.gemv_config<columns = 16, across = 1, split = 1, vector = 4, unroll = 0, along_depth = false, team = 4>}

// -----
// expected-error @+1 {{expects from 4 to 128 columns for a warp that reads 4 at once, found 2}}
func.func private @gemv_config_columns() attributes {config = #tile.gemv_config<columns = 2, across = 1, split = 1, vector = 4, unroll = 4, along_depth = false, team = 1>}

// -----
// expected-error @+1 {{expects powers of two, found 24}}
func.func private @transpose_config_powers() attributes {config = #tile.transpose_config<rows = 24, columns = 32, pitches = [33], threads = 128, team = 8>}

// -----
// expected-error @+1 {{expects a team of at most 64 threads, found 128}}
func.func private @transpose_config_team() attributes {config = #tile.transpose_config<rows = 32, columns = 32, pitches = [33], threads = 64, team = 128>}

// -----
// expected-error @+1 {{expects lines of 32 elements to lie as far apart at least, found 31}}
func.func private @transpose_config_pitches() attributes {config = #tile.transpose_config<rows = 32, columns = 32, pitches = [33, 31], threads = 128, team = 8>}

// -----
// expected-error @+1 {{expects powers of two, found 24}}
func.func private @box_config_powers() attributes {config = #tile.box_config<lengths = [3, 32, 16], pitches = [67], threads = 24, team = 8>}

// -----
// expected-error @+1 {{expects a team of at most 64 threads, found 128}}
func.func private @box_config_team() attributes {config = #tile.box_config<lengths = [3, 32, 16], pitches = [67], threads = 64, team = 128>}

// -----
// expected-error @+1 {{expects lengths and pitches > 0, found 0}}
func.func private @box_config_lengths() attributes {config = #tile.box_config<lengths = [3, 0, 16], pitches = [67], threads = 64, team = 32>}

// -----
// expected-error @+1 {{expects powers of two where teams share a reduction, found 24}}
func.func private @pointwise_config_powers() attributes {config = #tile.pointwise_config<lanes = 24, grain = 512, stage = false, threads = 128, team = 4, share = 32>}

// -----
// expected-error @+1 {{expects at most 32 teams of 4 threads to share a reduction, found 64}}
func.func private @pointwise_config_share() attributes {config = #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, team = 4, share = 64>}

// -----
// expected-error @+1 {{expects powers of two, found 12}}
func.func private @row_tile_config_powers() attributes {config = #tile.row_tile_config<rows = 12, columns = 32, pads = [1], row = <lanes = 32, grain = 32, stage = false, threads = 128, team = 8>>}

// -----
// expected-error @+1 {{expects from 0 to 127 elements between rows, found 128}}
func.func private @row_tile_config_pads() attributes {config = #tile.row_tile_config<rows = 8, columns = 32, pads = [1, 128], row = <lanes = 32, grain = 32, stage = false, threads = 128, team = 8>>}

// -----
// expected-error-re @+1 {{expects a config with threads for the rows, found {{.*}}lanes = 32}}
func.func private @row_tile_config_row() attributes {config = #tile.row_tile_config<rows = 8, columns = 32, pads = [1], row = <lanes = 32, grain = 32, stage = false>>}
