/** A node of well-known text: `NAME["text", 12, CHILD[…]]`. */
export interface WktNode {
  /** In upper case. */
  readonly name: string
  readonly values: readonly (string | number)[]
  readonly children: readonly WktNode[]
}

const tokenPattern = /\s*(?:"((?:[^"]|"")*)"|([A-Za-z_]\w*)|([-+]?[\d.]+(?:e[-+]?\d+)?)|([[\](),]))/giy
const max_depth = 20
const max_letters = 20_000

/** Reads well-known text of any version; null for text that is none. Words without brackets (axis directions) are values. */
export function readWkt(text: string): WktNode | null {
  const tokens = [...text.slice(0, max_letters).matchAll(tokenPattern)]
  let at = 0
  const punctuation = (): string | undefined => tokens[at]?.[4]
  const readNode = (depth: number): WktNode | null => {
    const name = tokens[at++]?.[2]?.toUpperCase()
    if (name === undefined || depth > max_depth || !['[', '('].includes(punctuation() ?? '')) return null
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

/** The first child with one of these names. */
export const findWktChild = (node: WktNode | undefined, ...names: readonly string[]): WktNode | undefined =>
  node?.children.find((child) => names.includes(child.name))

/** A number among the values of a node; undefined where it is none. */
export function readWktNumber(node: WktNode | undefined, index: number): number | undefined {
  const value = node?.values[index]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A text among the values of a node; undefined where it is none. */
export function readWktText(node: WktNode | undefined, index: number): string | undefined {
  const value = node?.values[index]
  return typeof value === 'string' ? value : undefined
}

/** The EPSG code that a node has of its own (`AUTHORITY` of version 1, `ID` of version 2); null for none. */
export function readWktEpsgCode(node: WktNode | undefined): number | null {
  const id = node?.children.find(
    (child) => (child.name === 'AUTHORITY' || child.name === 'ID') && /^epsg$/i.test(readWktText(child, 0) ?? ''),
  )
  const code = Number(id?.values[1] ?? Number.NaN)
  return Number.isInteger(code) && code > 0 ? code : null
}
