import { bandNotation, type ViewAsset } from '../state/view-item.ts'

/** Combinations of three bands that people know by name, by the roles of red, green and blue. */
const composites = [
  ['falseColour', ['nir', 'red', 'green']],
  ['agriculture', ['swir16', 'nir', 'blue']],
  ['shortWave', ['swir22', 'nir', 'red']],
  ['shortWaveNear', ['swir16', 'nir', 'red']],
] as const

export type CompositeName = (typeof composites)[number][0]

/** The combinations that the bands of a file allow, as band lists. */
export function listComposites({ bands }: ViewAsset): { name: CompositeName; bands: string }[] {
  return composites.flatMap(([name, roles]) => {
    const found = roles.flatMap((role) => bands.find((band) => band.role === role) ?? [])
    return found.length === 3 ? [{ name, bands: found.map((band) => bandNotation(bands, band)).join(',') }] : []
  })
}
