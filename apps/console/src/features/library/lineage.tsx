import { ArrowRight } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import styles from './lineage.module.css'

type Neighbor = OutputOf<'items.lineage'>['parents'][number]

const keepView = ({ v }: { v?: string }) => (v ? { v } : {})

/** What an item was made from, and what was made from it. */
export function Lineage({ itemId }: { itemId: string }) {
  const lineage = useOperation('items.lineage', { item_id: itemId })
  return (
    <Section title={texts.library.item.lineage}>
      <QueryView query={lineage} rows={1}>
        {({ parents, children }) =>
          parents.length + children.length === 0 ? (
            <p>{texts.library.item.noLineage}</p>
          ) : (
            <div className={styles['graph']}>
              <ul>
                {parents.map((parent) => (
                  <Node key={parent.entity_id} node={parent} />
                ))}
              </ul>
              <ArrowRight size={16} aria-hidden />
              <strong>{texts.library.item.kinds.item}</strong>
              {children.length > 0 && <ArrowRight size={16} aria-hidden />}
              <ul>
                {children.map((child) => (
                  <Node key={child.entity_id} node={child} />
                ))}
              </ul>
            </div>
          )
        }
      </QueryView>
    </Section>
  )
}

function Node({ node: { entity_type, entity_id } }: { node: Neighbor }) {
  const name = texts.library.item.kinds[entity_type]
  if (entity_type === 'order')
    return (
      <li>
        <Link to="/orders/$orderId" params={{ orderId: entity_id }} search={keepView}>
          {name}
        </Link>
      </li>
    )
  if (entity_type === 'item')
    return (
      <li>
        <Link to="/library/items/$itemId" params={{ itemId: entity_id }} search={keepView}>
          {name}
        </Link>
      </li>
    )
  return <li title={entity_id}>{name}</li>
}
