import { listColormapNames, encodePng, parseColormap, type Colormap, type Rgba } from '@swath/raster'
import { parseRasterField } from '../failures.ts'

export interface ColormapInfo {
  readonly name: string
  readonly kind: 'sequential' | 'diverging' | 'cyclic' | 'miscellaneous'
  readonly colors: string[]
}

/** The colormaps that are not sequential. */
const kindByName: Readonly<Record<string, ColormapInfo['kind']>> = {
  RdYlGn: 'diverging',
  RdYlBu: 'diverging',
  RdBu: 'diverging',
  RdGy: 'diverging',
  Spectral: 'diverging',
  BrBG: 'diverging',
  PiYG: 'diverging',
  PRGn: 'diverging',
  PuOr: 'diverging',
  coolwarm: 'diverging',
  bwr: 'diverging',
  seismic: 'diverging',
  hsv: 'cyclic',
  turbo: 'miscellaneous',
  jet: 'miscellaneous',
  terrain: 'miscellaneous',
  ocean: 'miscellaneous',
  gist_earth: 'miscellaneous',
}

/** The number of colours that represent a ramp. */
const sampled_colours = 11
const last_entry = 255

/** All named colormaps in the order of their table. */
export const colormapInfos: readonly ColormapInfo[] = listColormapNames().map((name) => {
  const colours = listColours(parseColormap(name))
  const colors = Array.from({ length: sampled_colours }, (_, at) =>
    toHex(colours[Math.round((at * last_entry) / (sampled_colours - 1))]!),
  )
  return { name, kind: kindByName[name] ?? 'sequential', colors }
})

function toHex(colour: Rgba): string {
  return `#${Buffer.from(colour.slice(0, 3)).toString('hex')}`
}

/** The colours of a colormap in ascending order of value: the entries of a ramp, or one per class. */
function listColours(colormap: Colormap): readonly Rgba[] {
  if (colormap.kind === 'categories') return [...colormap.colours].sort(([a], [b]) => a - b).map(([, colour]) => colour)
  if (colormap.kind === 'intervals') return colormap.steps.toSorted((a, b) => a[0] - b[0]).map(([, , colour]) => colour)
  const { entries } = colormap
  return Array.from({ length: entries.length / 4 }, (_, at) => [...entries.subarray(at * 4, at * 4 + 4)] as never)
}

/** The colormap of a legend. Throws `validation` for an unknown one. */
export const parseLegendColormap = (text: string): Colormap => parseRasterField('name', () => parseColormap(text))

/** Renders a legend bar as PNG: from left to right, or upwards if it is taller than wide. */
export function renderLegend(colormap: Colormap, width: number, height: number): Uint8Array {
  const colours = listColours(colormap)
  const isVertical = height > width
  const length = isVertical ? height : width
  const colourAt = Array.from({ length }, (_, at) => colours[Math.floor(((at + 0.5) * colours.length) / length)]!)
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(colourAt[isVertical ? height - 1 - y : x]!, (y * width + x) * 4)
  }
  return encodePng({ width, height, kind: 'rgba', data })
}
