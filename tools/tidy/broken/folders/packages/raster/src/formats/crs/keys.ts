import '../tiff/tags.ts'
