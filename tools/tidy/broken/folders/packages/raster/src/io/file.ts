import '../formats/tiff/open.ts'
import '../types.ts'
