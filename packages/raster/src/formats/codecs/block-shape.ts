import type { Jpeg2000Storage } from '../../types.ts'

/** The expected size and layout of a block, so that every decoder knows its limits before it begins. */
export interface BlockShape {
  readonly width: number
  /** Rows that are wanted. */
  readonly height: number
  /** Rows that a block of the file has when it is whole; the last strip may be written in full. */
  readonly mostHeight: number
  /** Samples of one pixel in this block. */
  readonly samples: number
  readonly bitsPerSample: number
  readonly leastBytes: number
  readonly mostBytes: number
  readonly jpegTables: Uint8Array | null
  readonly lercWrapping: number
  /** True where samples must be those that everybody decodes, and not only nearly. */
  readonly exact: boolean
  readonly jpeg2000?: Jpeg2000Storage | null
}
