import { findDatumShift } from './datum-names.ts'
import type { ProjectionParameterDefinition } from './geo-keys.ts'
import { projectionMethods } from './projection-methods.ts'
import {
  formatEllipsoidProj4,
  projectedCrsToProj4,
  readProjectionParameters,
  unsupportedCrsFailure,
} from './projection-text.ts'

/** A node of well-known text: `NAME["text", 12, CHILD[…]]`. */
interface WktNode {
  /** In upper case. */
  readonly name: string
  readonly values: readonly (string | number)[]
  readonly children: readonly WktNode[]
}

const tokenPattern = /\s*(?:"((?:[^"]|"")*)"|([A-Za-z_]\w*)|([-+]?[\d.]+(?:e[-+]?\d+)?)|([[\](),]))/giy
const max_deep = 20

/** Reads well-known text of any version; null for text that is none. Words without brackets (axis directions) are values. */
function readWkt(text: string): WktNode | null {
  const tokens = [...text.matchAll(tokenPattern)]
  let at = 0
  const punctuation = (): string | undefined => tokens[at]?.[4]
  const readNode = (depth: number): WktNode | null => {
    const name = tokens[at++]?.[2]?.toUpperCase()
    if (name === undefined || depth > max_deep || !['[', '('].includes(punctuation() ?? '')) return null
    const values: (string | number)[] = []
    const children: WktNode[] = []
    do {
      at++
      const [, quoted, word, number] = tokens[at] ?? []
      if (word !== undefined && ['[', '('].includes(tokens[at + 1]?.[4] ?? '')) {
        const child = readNode(depth + 1)
        if (!child) return null
        children.push(child)
        continue
      }
      if (number !== undefined) values.push(Number(number))
      else if (quoted !== undefined || word !== undefined) values.push(quoted ?? word!)
      else return null
      at++
    } while (punctuation() === ',')
    if (![']', ')'].includes(punctuation() ?? '')) return null
    at++
    return { name, values, children }
  }
  return readNode(0)
}

/** The first child of a name. */
const childOf = (node: WktNode | undefined, name: string): WktNode | undefined =>
  node?.children.find((child) => child.name === name)

/** A number among the values of a node; undefined where it is none. */
function numberOf(node: WktNode | undefined, index: number): number | undefined {
  const value = node?.values[index]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A text among the values of a node; undefined where it is none. */
function textOf(node: WktNode | undefined, index: number): string | undefined {
  const value = node?.values[index]
  return typeof value === 'string' ? value : undefined
}

const max_letters = 20_000
const degrees_per_radian = 180 / Math.PI
const wgs84Name = /^(?:D_)?(?:WGS_1984|World Geodetic System 1984)$/i

/**
 * The proj4 text of WKT 1 in a citation (ESRI's or OGC's), as GDAL reads it: proj4 text in an extension takes
 * precedence. Throws `unsupportedCrsFailure`, which names the part that is not supported.
 */
export async function wktToProj4(text: string): Promise<string> {
  const node = readWkt(text.slice(0, max_letters))
  if (!node) throw unsupportedCrsFailure('the well-known text in its citation cannot be read')
  const extension = node.children.find((child) => child.name === 'EXTENSION' && textOf(child, 0) === 'PROJ4')
  const spelled = textOf(extension, 1)
  if (spelled !== undefined) return spelled.trim()
  if (node.name === 'GEOGCS') return `+proj=longlat ${await geodeticText(node)} +no_defs`
  if (node.name !== 'PROJCS') throw unsupportedCrsFailure(`the kind of its well-known text, ${node.name}, is not read`)
  const geographic = childOf(node, 'GEOGCS')
  const metres = numberOf(childOf(node, 'UNIT'), 1) ?? 1
  const given = readProjectionParameters((source) => parameterOf(node, source), {
    degrees: degreesOf(geographic),
    metres,
  })
  const name = textOf(childOf(node, 'PROJECTION'), 0) ?? 'of no name'
  const method = projectionMethods.find(({ wkt, applies }) => wkt.includes(name.toLowerCase()) && applies(given))
  return projectedCrsToProj4(method, name.replaceAll('_', ' '), given, {
    geodetic: await geodeticText(geographic),
    metres,
  })
}

function parameterOf(node: WktNode, { names }: ProjectionParameterDefinition): number | undefined {
  const found = node.children.find(
    (child) => child.name === 'PARAMETER' && names.includes((textOf(child, 0) ?? '').toLowerCase()),
  )
  return numberOf(found, 1)
}

const degreesOf = (geographic: WktNode | undefined): number => {
  const radians = numberOf(childOf(geographic, 'UNIT'), 1)
  // The factor of a degree is written with fewer digits than it has.
  return radians === undefined || Math.abs(radians * degrees_per_radian - 1) < 1e-9 ? 1 : radians * degrees_per_radian
}

async function geodeticText(geographic: WktNode | undefined): Promise<string> {
  const datum = childOf(geographic, 'DATUM')
  const name = textOf(datum, 0) ?? ''
  const meridian = (numberOf(childOf(geographic, 'PRIMEM'), 1) ?? 0) * degreesOf(geographic)
  const pm = meridian === 0 ? '' : ` +pm=${meridian}`
  if (wgs84Name.test(name)) return `+datum=WGS84${pm}`
  const spheroid = childOf(datum, 'SPHEROID')
  const a = numberOf(spheroid, 1)
  if (a === undefined) throw unsupportedCrsFailure('its well-known text names no ellipsoid')
  const stated = childOf(datum, 'TOWGS84')?.values.join(',')
  const shift = stated ?? (await findDatumShift(name))
  return `${formatEllipsoidProj4(a, { rf: numberOf(spheroid, 2) })}${shift === null ? '' : ` +towgs84=${shift}`}${pm}`
}
