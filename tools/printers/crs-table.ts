import { createRequire } from 'node:module'
import { chosenShifts } from './chosen-shifts.ts'
import { toPositionVector } from './datum-shifts.ts'

interface CrsEntry {
  readonly code: string
  readonly kind: string
  readonly name: string
  readonly proj4: string | null
}

/** The projections that proj4 supports; codes with other ones are left out of the table. */
const projections = new Set(
  `longlat utm tmerc lcc aea cass stere sterea omerc somerc eqc laea merc aeqd poly eqdc krovak eqearth cea sinu bonne
  ortho mill moll eck6 vandg robin gnom nzmg geos`.split(/\s+/),
)

const kinds = new Set(['CRS-PROJCRS', 'CRS-GEOGCRS', 'CRS-GEOG3DCRS', 'CRS-COMPOUNDCRS'])

/**
 * Grid files are not part of this package; the seven (or three) parameters of the EPSG register replace them: accurate to a
 * few millimetres for OSTN15 (whose parameters the register gives for the whole grid), to some metres for the others.
 */
const gridParameters: Readonly<Record<string, string>> = {
  'OSTN15_NTv2_OSGBtoETRS.gsb': '446.448,-125.157,542.06,0.15,0.247,0.842,-20.489',
  'NTv2_0.gsb': '-8,160,176',
  'May76v20.gsb': '-8,160,176',
  'CQ77NA83.GSB': '-8,160,176',
  'nzgd2kgrid0005.gsb': '59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993',
  'BETA2007.gsb': '598.1,73.7,418.2,0.202,0.045,-2.455,6.7',
  '"National': '-116,-50.47,141.69,0.23,0.39,0.344,0.0983',
  'CA7072_003.gsb': '-206.05,168.28,-3.82',
}

/** Systems in grads, which proj4 text cannot express: no georeferencing is better than a wrong one. */
const grads = new Set(['4807', '4810', '4811', '4816', '4821', '4901', '7400', '37225', '104139'])

/** Systems in units that the package leaves out, the Vienna fathom: their places would be hundreds of kilometres off. */
const otherUnits = new Set(['8044', '8045'])

/** Prints the table of coordinate reference systems from the `epsg-index` package: lines of code, proj4 text and name. */
export function printCrsTable(): string {
  const all = createRequire(import.meta.url)('epsg-index/all.json') as Record<string, CrsEntry>
  const lines = Object.values(all)
    .toSorted((a, b) => Number(a.code) - Number(b.code))
    .flatMap((entry) => {
      const text =
        kinds.has(entry.kind) && !grads.has(entry.code) && !otherUnits.has(entry.code)
          ? shortenDefinition(entry.proj4 ?? '')
          : null
      return text === null ? [] : [`${entry.code}\t${correctDefinition(entry.code, text)}\t${entry.name}`]
    })
  return `${lines.join('\n')}\n`
}

function correctDefinition(code: string, text: string): string {
  // This method treats ellipsoidal latitudes as those of a sphere with the same surface (EPSG 1027).
  if (code === '9311') return text.replace('+ellps=clrk66 +towgs84=-8,160,176', '+R=6370997.2406')
  const shift = chosenShifts.get(code)
  return shift === undefined ? text : `${text.replace(/ \+towgs84=\S+/, '')} +towgs84=${shift}`
}

function shortenDefinition(proj4: string): string | null {
  const projection = /^\+proj=(\w+)/.exec(proj4)?.[1]
  if (projection === undefined || !projections.has(projection)) return null
  // Axes that count west or south are not supported: better a named failure than a mirrored image.
  if (proj4.includes('+axis=')) return null
  const text = proj4
    .replaceAll(/ \+(no_defs|type=crs|wktext|units=m|vunits=\S+|geoidgrids=\S+|over)(?= |$)/g, '')
    // proj4 has no name for these two, and uses WGS 84 for unknown names.
    .replace('+ellps=WGS72', '+a=6378135 +rf=298.26')
    .replace('+ellps=GSK2011', '+a=6378136.5 +rf=298.2564151')
    .replace(' +datum=NAD27', ' +ellps=clrk66 +towgs84=-8,160,176')
    .replace(/(?<=\+towgs84=)\S+/, toPositionVector)
    // Every line begins with `+proj=`, which is left out.
    .replace(/^\+proj=/, '')
  const grid = / \+nadgrids=(\S+)/.exec(text)?.[1]
  if (grid === undefined || grid === '@null') return text
  const parameters = gridParameters[grid]
  if (parameters === undefined) return null
  // One grid name contains blanks and is quoted.
  const plain = text.replace(/ \+nadgrids=("[^"]*"|\S+)/, '')
  return plain.includes('+towgs84') ? plain : `${plain} +towgs84=${parameters}`
}
