interface Square {
  readonly type: 'Polygon'
  readonly coordinates: [number, number][][]
}

/** A square by its south-west corner and side length, in degrees. */
export const square = (west: number, south: number, side: number): Square => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ],
})
