// RUN: kiln-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expects powers of two, found 3}}
func.func private @gemv_config_powers() attributes {config = #tile.gemv_config<columns = 3, across = 1, split = 1, vector = 4, unroll = 4, along_k = false, row_threads = 1>}

// -----
// expected-error @+1 {{expects unroll > 0, found 0}}
func.func private @gemv_config_unroll() attributes {config = #tile.gemv_config<columns = 16, across = 1, split = 1, vector = 4, unroll = 0, along_k = false, row_threads = 4>}

// -----
// expected-error @+1 {{expects from 4 to 128 columns for a warp that reads 4 at once, found 2}}
func.func private @gemv_config_columns() attributes {config = #tile.gemv_config<columns = 2, across = 1, split = 1, vector = 4, unroll = 4, along_k = false, row_threads = 1>}

// -----
// expected-error @+1 {{expects powers of two where teams share a reduction, found 24}}
func.func private @pointwise_config_powers() attributes {config = #tile.pointwise_config<lanes = 24, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 32>}

// -----
// expected-error @+1 {{expects at most 32 teams of 4 threads to share a reduction, found 64}}
func.func private @pointwise_config_share() attributes {config = #tile.pointwise_config<lanes = 16, grain = 512, stage = false, threads = 128, group_threads = 4, reduce_split = 64>}

// -----
// expected-error @+1 {{expects powers of two, found 24}}
func.func private @staging_config_powers() attributes {config = #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 24, group_threads = 8>>}

// -----
// expected-error @+1 {{expects a thread group of at most 64 threads, found 128}}
func.func private @staging_config_team() attributes {config = #tile.staging_config<tile = [32, 32], pads = [1], compute = <lanes = 32, grain = 1024, stage = false, threads = 64, group_threads = 128>>}

// -----
// expected-error @+1 {{expects positions > 0 of every loop of a tile, found 0}}
func.func private @staging_config_tile() attributes {config = #tile.staging_config<tile = [3, 0, 16], pads = [19], compute = <lanes = 64, grain = 1024, stage = false, threads = 64, group_threads = 32>>}

// -----
// expected-error @+1 {{expects from 0 to 127 elements between lines, found 128}}
func.func private @staging_config_pads() attributes {config = #tile.staging_config<tile = [32, 8], pads = [1, 128], compute = <lanes = 32, grain = 32, stage = false, threads = 128, group_threads = 8>>}

// -----
// expected-error @+1 {{expects from 0 to 127 elements between lines, found -1}}
func.func private @staging_config_pads_below() attributes {config = #tile.staging_config<tile = [32, 8], pads = [-1], compute = <lanes = 32, grain = 32, stage = false, threads = 128, group_threads = 8>>}
