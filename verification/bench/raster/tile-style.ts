import type { Resampling } from '@swath/raster'

/** How both contenders render a tile; bands are 0-based. */
export interface TileStyle {
  readonly resampling: Resampling
  readonly format: 'png' | 'jpeg'
  readonly bands: readonly number[]
  /** How many of the bands become colours, if all are read but not all are shown. */
  readonly shown?: number
  /** The values that become 0 and 255. */
  readonly rescale?: readonly [low: number, high: number]
  /** An expression of bands b1, b2 …, instead of the bands. */
  readonly formula?: string
  /** Name of a colormap that both contenders have, for the result of an expression. */
  readonly colormap?: string
  /** Heights encoded as terrain-RGB. */
  readonly terrain?: true
}

const stretched = { bands: [2, 1, 0], rescale: [0, 3000] } as const

/** Styles of the cases, without the resampling. */
export const tileStyles = {
  colours: { ...stretched, format: 'png' },
  colours_jpeg: { ...stretched, format: 'jpeg' },
  /** gdal.Warp reads all bands of a file, so all are read here, and three encoded. */
  all_bands: { bands: [2, 1, 0, 3], shown: 3, rescale: [0, 3000], format: 'jpeg' },
  bytes: { bands: [0, 1, 2], format: 'jpeg' },
  bytes_png: { bands: [0, 1, 2], format: 'png' },
  terrain: { bands: [0], terrain: true, format: 'png' },
  ndvi: { bands: [2, 3], formula: '(b4-b3)/(b4+b3)', rescale: [-1, 1], colormap: 'viridis', format: 'png' },
} as const satisfies Record<string, Omit<TileStyle, 'resampling'>>

/** The warm-up style of each small scene, so that every sample type has been used. */
export const warmUpStyles: Readonly<Record<string, Omit<TileStyle, 'resampling'>>> = {
  'm_u16.tif': tileStyles.colours,
  'm_u8.tif': tileStyles.bytes_png,
  'm_i16.tif': tileStyles.colours,
  'm_i32.tif': tileStyles.colours,
  'm_f32.tif': { bands: [2, 1, 0], rescale: [0, 0.3], format: 'png' },
  'm_dem.tif': tileStyles.terrain,
}
