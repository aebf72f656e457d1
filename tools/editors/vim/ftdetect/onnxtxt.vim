autocmd BufRead,BufNewFile *.onnxtxt setfiletype onnxtxt
