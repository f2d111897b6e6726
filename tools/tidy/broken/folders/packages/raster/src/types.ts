import './io/file.ts'
