import { readFileSync, writeFileSync } from 'node:fs'
import { acrossFiles, layers, packages, streets, type LayerRow, type PackageRow } from './boundaries.ts'

const short = (path: string): string => path.replace(/^(packages|apps)\//, '')
const shortFile = (path: string): string => path.replace('packages/server/src/', '')
const list = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : names.map(short).join(', '))

/** The map in `ARCHITECTURE.md`: three tables and one list, generated from `boundaries.ts`. */
export function printMap(): string {
  const packageRows = Object.entries<PackageRow>(packages).map(
    ([name, row]) => `| \`${short(name)}\` | ${row.about} | ${list(row.imports)} | ${row.node ? 'yes' : 'no'} |`,
  )
  const layerRows = Object.entries<LayerRow>(layers).map(
    ([name, row]) => `| \`${name}\` | ${row.about} | ${list([...row.imports, ...row.packages])} |`,
  )
  const streetRows = streets.map((street) => `| ${street.letter} | ${street.about} | ${street.rooms.join(', ')} |`)
  return [
    '| Workspace | Content | May import | Needs Node |',
    '|---|---|---|---|',
    ...packageRows,
    '',
    '| Layer of the server | Content | May import, besides contract and geo |',
    '|---|---|---|',
    ...layerRows,
    '',
    '| Tier | Content | Modules |',
    '|---|---|---|',
    ...streetRows,
    '',
    'The connection that is not limited to one organization may be used by:',
    '',
    ...acrossFiles.map((row) => `- ${row.files.map((file) => `\`${shortFile(file)}\``).join(', ')}: ${row.reason};`),
    '',
  ].join('\n')
}

/** As a program it writes the map into the page. */
if (import.meta.main) {
  const page = new URL('../../ARCHITECTURE.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const marks = /(<!-- map: [^>]*-->\n)[\s\S]*(\n<!-- end of map -->)/
  writeFileSync(
    page,
    text.replace(marks, (_, begin: string, end: string) => `${begin}\n${printMap()}${end}`),
  )
}
