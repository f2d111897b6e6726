export function read(bytes: number): void {
  if (bytes < 0) throw new Error('the buffer of a block is undefined in this code')
  if (bytes > 8) throw new RasterFailure('damaged', 'a deflate block of the file cannot be inflated')
  throw new RasterFailure('request', `the file has ${bytes} bytes at geometry.coordinates.0.1 and more`)
}
