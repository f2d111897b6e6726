/** Pixels as TypeScript writes them into memory before a call; strides and offsets count samples. */
@unmanaged
export class PixelBuffer {
  at: usize
  width: u32
  height: u32
  pixelStride: u32
  rowStride: u32
  /** 0 where all pixels are valid. */
  mask: usize
  bands: u32
  /** The offsets of the bands follow. */
  firstOffset: u32
}

/** Offset of a band, in samples from the first one. */
/* @inline */ export function bandOffset(pixels: PixelBuffer, band: u32): usize {
  return load<u32>(changetype<usize>(pixels) + (band << 2), offsetof<PixelBuffer>('firstOffset'))
}

/** Whether a sample lies in the range of nodata or is NaN; without nodata no integer is missing. */
/* @inline */ export function isMissing<T>(value: T, known: bool, lowest: T, highest: T): bool {
  return (known && value >= lowest && value <= highest) || (isFloat<T>() && value != value)
}
