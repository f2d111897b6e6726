import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { useOperation, useOperations } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { layOutLineage, type LineageGraph, type PlacedNode } from './lineage-layout.ts'
import styles from './lineage.module.css'
import layout from '../../../ui/layout.module.css'

const words = libraryTexts.item
const [column_px, row_px, box_width_px, box_height_px] = [128, 48, 108, 40]
const max_name_length = 13

/** The lineage of an item: its sources, and the items that were derived from it. */
export function Lineage({ itemId }: { itemId: string }) {
  const entity = { entity_type: 'item', entity_id: itemId } as const
  const up = useOperation('provenance.get', { ...entity, direction: 'up' })
  const down = useOperation('provenance.get', { ...entity, direction: 'down' })
  return (
    <Section
      title={words.lineage}
      actions={<CopyCall operation="provenance.get" input={{ ...entity, direction: 'both' }} />}
    >
      <QueryView query={up} rows={1}>
        {(sources) => (
          <QueryView query={down} rows={1}>
            {(derived) =>
              sources.edges.length + derived.edges.length === 0 ? (
                <p>{words.noLineage}</p>
              ) : (
                <Graph itemId={itemId} graph={layOutLineage(sources, derived)} />
              )
            }
          </QueryView>
        )}
      </QueryView>
    </Section>
  )
}

/** The names of the items of a graph, as far as they can be read. */
function useItemNames({ nodes }: LineageGraph): ReadonlyMap<string, string> {
  const ids = nodes.filter(({ entity_type, isDeleted, more }) => entity_type === 'item' && !isDeleted && more === 0)
  const items = useOperations(
    'items.get',
    ids.map(({ entity_id }) => ({ item_id: entity_id })),
  )
  return new Map(items.flatMap(({ data }) => (data ? [[data.item.id, data.item.name] as const] : [])))
}

function Graph({ itemId, graph }: { itemId: string; graph: LineageGraph }) {
  const names = useItemNames(graph)
  const { nodes, edges, columns, rows } = graph
  const width = (columns - 1) * column_px + box_width_px + 4
  const height = (rows - 1) * row_px + box_height_px + 4
  const scroller = useRef<HTMLDivElement>(null)
  const self = nodes.find(({ entity_id }) => entity_id === itemId)?.column ?? 0
  useEffect(() => {
    const { current } = scroller
    // The item itself is seen first, in the middle if the graph goes on at both sides.
    if (current) current.scrollLeft = self * column_px - (current.clientWidth - box_width_px) / 2
  }, [self, columns])
  const lines = useMemo(() => edges.map(([from, to]) => drawEdge(nodes[from]!, nodes[to]!)), [nodes, edges])
  return (
    <div ref={scroller} className={layout['scroller']} tabIndex={0} role="group" aria-label={words.lineageGraph}>
      <svg width={width} height={height} viewBox={`-2 -2 ${width} ${height}`}>
        {lines.map((path) => (
          <path key={path} d={path} className={styles['edge']!} />
        ))}
        {nodes.map((node) => (
          <NodeBox key={node.id} node={node} isSelf={node.entity_id === itemId} name={names.get(node.entity_id)} />
        ))}
      </svg>
    </div>
  )
}

function drawEdge(source: PlacedNode, derived: PlacedNode): string {
  const from_x = source.column * column_px + box_width_px
  const from_y = source.row * row_px + box_height_px / 2
  const to_x = derived.column * column_px
  const to_y = derived.row * row_px + box_height_px / 2
  const middle_x = (from_x + to_x) / 2
  return `M${from_x} ${from_y}C${middle_x} ${from_y} ${middle_x} ${to_y} ${to_x} ${to_y}`
}

/** Route that opens a node. */
function placeOf({ entity_type, entity_id, isDeleted, more }: PlacedNode): Pick<LinkProps, 'to' | 'params'> | null {
  if (isDeleted || more > 0) return null
  if (entity_type === 'order') return { to: '/orders/$orderId', params: { orderId: entity_id } }
  return entity_type === 'item' ? { to: '/library/items/$itemId', params: { itemId: entity_id } } : null
}

/** Names of scenes differ at their end. */
const shorten = (text: string): string =>
  text.length > max_name_length ? `${text.slice(0, 4)}…${text.slice(5 - max_name_length)}` : text

function NodeBox({ node, isSelf, name }: { node: PlacedNode; isSelf: boolean; name: string | undefined }) {
  const kind = words.kinds[node.entity_type]
  // The id of a capture has the host in front; other ids differ in their last characters.
  const short = node.entity_type === 'capture' ? node.entity_id.replace(/^[^:]*:/, '') : node.entity_id.slice(-8)
  const label = node.more > 0 ? words.more(node.more) : (name ?? short)
  const place = isSelf ? null : placeOf(node)
  const box: ReactNode = (
    <>
      <title>{`${kind} ${name ?? node.entity_id}${node.isDeleted ? `, ${words.gone}` : ''}`}</title>
      <rect width={box_width_px} height={box_height_px} rx={6} />
      <text x={8} y={16} className={styles['kind']!}>
        {node.isDeleted ? `${kind}, ${words.gone}` : kind}
      </text>
      <text x={8} y={32}>
        {shorten(label)}
      </text>
    </>
  )
  return (
    <g
      className={styles['node']!}
      data-self={isSelf}
      data-deleted={node.isDeleted}
      transform={`translate(${node.column * column_px} ${node.row * row_px})`}
    >
      {place ? (
        <Link {...place} search={keepView}>
          {box}
        </Link>
      ) : (
        box
      )}
    </g>
  )
}
