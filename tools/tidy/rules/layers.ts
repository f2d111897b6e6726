import { houseFiles, layers, type LayerRow } from '../boundaries.ts'
import { edgesOf, type Edge } from '../graph.ts'
import { isTest, workspaceOf, type Finding, type Rule, type Tree } from '../tree.ts'

const rows: Readonly<Record<string, LayerRow>> = layers
const source = 'packages/server/src/'
const everywhere = ['packages/contract', 'packages/geo']

function layerOf(path: string): string | null {
  if ((houseFiles as readonly string[]).includes(path)) return 'root'
  return path.startsWith(source) ? path.slice(source.length).split('/')[0]! : null
}

function judge(edge: Edge): string | null {
  const layer = layerOf(edge.from)
  if (layer === null || isTest(edge.from)) return null
  const row = rows[layer]
  if (!row) return `${layer} is not a layer of the server`
  const target = workspaceOf(edge.to!)
  if (target !== 'packages/server') {
    const allowed = target !== null && [...everywhere, ...row.packages].includes(target)
    return allowed ? null : `${layer} may not import ${target ?? edge.to}`
  }
  const other = layerOf(edge.to!)
  if (other === layer || (other !== null && row.imports.includes(other))) return null
  return `${layer} may not import ${other ?? edge.to}`
}

export const layersRule: Rule = {
  name: 'layers',
  why: 'A lower layer does not import an upper one, and http and domains do not import each other.',
  check: (tree: Tree): Finding[] =>
    edgesOf(tree)
      .filter((edge) => edge.to !== null)
      .flatMap((edge) => {
        const says = judge(edge)
        return says === null ? [] : [{ file: edge.from, says }]
      }),
}
