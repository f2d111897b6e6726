import { readFileSync, writeFileSync } from 'node:fs'
import { acrossFiles, layers, packages, streets, type LayerRow, type PackageRow } from './boundaries.ts'

const short = (path: string): string => path.replace(/^(packages|apps)\//, '')
const shortFile = (path: string): string => path.replace('packages/server/src/', '')
const list = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : names.map(short).join(', '))

/** The map as `ARCHITECTURE.md` shows it: three tables and one list, out of the data of `boundaries.ts`. */
export function printMap(): string {
  const packageRows = Object.entries<PackageRow>(packages).map(
    ([name, row]) => `| \`${short(name)}\` | ${row.about} | ${list(row.imports)} | ${row.node ? 'yes' : 'no'} |`,
  )
  const layerRows = Object.entries<LayerRow>(layers).map(
    ([name, row]) => `| \`${name}\` | ${row.about} | ${list([...row.imports, ...row.packages])} |`,
  )
  const streetRows = streets.map((street) => `| ${street.letter} | ${street.about} | ${street.rooms.join(', ')} |`)
  return [
    '| Workspace | What it is | May import | Needs Node |',
    '|---|---|---|---|',
    ...packageRows,
    '',
    '| Layer of the server | What it is | May import, beside contract and geo |',
    '|---|---|---|',
    ...layerRows,
    '',
    '| Street | Who lives there | Rooms |',
    '|---|---|---|',
    ...streetRows,
    '',
    'The handle that works across organizations may be held by:',
    '',
    ...acrossFiles.map((row) => `- ${row.files.map((file) => `\`${shortFile(file)}\``).join(', ')}: ${row.reason};`),
    '',
  ].join('\n')
}

/** Run by hand, it writes the map into the page. */
if (import.meta.main) {
  const page = new URL('../../ARCHITECTURE.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const marks = /(<!-- map: [^>]*-->\n)[\s\S]*(\n<!-- end of map -->)/
  writeFileSync(
    page,
    text.replace(marks, (_, begin: string, end: string) => `${begin}\n${printMap()}${end}`),
  )
}
