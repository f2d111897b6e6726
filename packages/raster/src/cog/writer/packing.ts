export type CogCompression = 'none' | 'deflate' | 'zstd' | 'jpeg' | 'webp'

/** The parameters by which the bytes of a block are compressed. */
export interface BlockCompression {
  readonly compression: CogCompression
  readonly level: number
  readonly quality: number
  readonly lossless: boolean
  /** Side of the block in pixels, and samples a pixel. */
  readonly block: number
  readonly channels: number
  readonly rowBytes: number
  /** True where samples are differences, made by a predictor. */
  readonly predicted: boolean
}

/** Turns the bytes of a tile into those of a block, in pieces; the tile's bytes are free again when it answers. */
export type BlockCompressor = (bytes: Uint8Array) => Promise<readonly Uint8Array[]>
