import { readFileSync, writeFileSync } from 'node:fs'
import { unscopedPermissions, layers, packages, tiers, type LayerBoundary, type PackageBoundary } from './boundaries.ts'

const shortName = (path: string): string => path.replace(/^(packages|apps)\//, '')
const shortFile = (path: string): string => path.replace('packages/server/src/', '')
const formatNames = (names: readonly string[]): string =>
  names.length === 0 ? 'nothing' : names.map(shortName).join(', ')

/** The map in `ARCHITECTURE.md`: three tables and one list, generated from `boundaries.ts`. */
export function printMap(): string {
  const packageRows = Object.entries<PackageBoundary>(packages).map(
    ([name, boundary]) =>
      `| \`${shortName(name)}\` | ${boundary.description} | ${formatNames(boundary.imports)} | ${boundary.allowsNode ? 'yes' : 'no'} |`,
  )
  const layerRows = Object.entries<LayerBoundary>(layers).map(
    ([name, boundary]) =>
      `| \`${name}\` | ${boundary.description} | ${formatNames([...boundary.imports, ...boundary.packages])} |`,
  )
  const tierRows = tiers.map((tier) => `| ${tier.letter} | ${tier.description} | ${tier.modules.join(', ')} |`)
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
    ...tierRows,
    '',
    'The connection that is not limited to one organization may be used by:',
    '',
    ...unscopedPermissions.map(
      (boundary) => `- ${boundary.files.map((file) => `\`${shortFile(file)}\``).join(', ')}: ${boundary.reason};`,
    ),
    '',
  ].join('\n')
}

/** As a program it writes the map into the page. */
if (import.meta.main) {
  const page = new URL('../../ARCHITECTURE.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const mapSection = /(<!-- map: [^>]*-->\n)[\s\S]*(\n<!-- end of map -->)/
  writeFileSync(
    page,
    text.replace(mapSection, (_, begin: string, end: string) => `${begin}\n${printMap()}${end}`),
  )
}
