/** A band of a sensor. */
export interface SensorBand {
  /** As the operator names it. */
  readonly name: string
  /** The name under which formulas find the band (STAC `common_name`); null if none fits. At most one band has each. */
  readonly common_name: string | null
  readonly center_nm: number
  /** Full width at half maximum, or the nominal range. */
  readonly width_nm: number
  /** Ground sample distance at nadir. */
  readonly resolution_m: number
}

export type SensorBandRow = readonly [
  name: string,
  common_name: string | null,
  center_nm: number,
  width_nm: number,
  resolution_m: number,
]

export interface SensorRow {
  readonly title: string
  readonly source: string
  readonly bands: readonly SensorBandRow[]
}
