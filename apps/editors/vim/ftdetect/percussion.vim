autocmd BufRead,BufNewFile *.prm setfiletype percussion
