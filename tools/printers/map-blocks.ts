import {
  layers,
  packages,
  tiers,
  unscopedPermissions,
  type LayerBoundary,
  type PackageBoundary,
} from '../tidy/boundaries.ts'
import { code, codeList, printTable } from './generated-blocks.ts'

const withoutFolder = (path: string): string => path.replace(/^(packages|apps)\//, '')
const withoutSource = (path: string): string => path.replace('packages/server/src/', '')
const formatNames = (names: readonly string[]): string =>
  names.length === 0 ? 'nothing' : names.map(withoutFolder).join(', ')

/** The map of the architecture, as the rules enforce it: workspaces, layers of the server, and tiers of modules. */
export const printMap = (): string =>
  [
    printTable(
      ['Workspace', 'Content', 'May import', 'Needs Node'],
      Object.entries<PackageBoundary>(packages).map(([name, { description, imports, allowsNode }]) => [
        code(withoutFolder(name)),
        description,
        formatNames(imports),
        allowsNode ? 'yes' : 'no',
      ]),
    ),
    printTable(
      ['Layer of the server', 'Content', 'May import, besides contract and geo'],
      Object.entries<LayerBoundary>(layers).map(([name, layer]) => [
        code(name),
        layer.description,
        formatNames([...layer.imports, ...layer.packages]),
      ]),
    ),
    printTable(
      ['Tier', 'Content', 'Modules'],
      tiers.map(({ letter, description, modules }) => [letter, description, modules.join(', ')]),
    ),
  ].join('\n\n')

/** Files that may use the connection that is not limited to one organization. */
export const printUnscopedPermissions = (): string =>
  printTable(
    ['Because', 'Files and folders'],
    unscopedPermissions.map(({ files, reason }) => [reason, codeList(files.map(withoutSource))]),
  )
