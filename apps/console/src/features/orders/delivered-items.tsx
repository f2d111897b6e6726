import { Link } from '@tanstack/react-router'
import type { Order, OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { Bytes } from '../../ui/figures.tsx'
import { formatDate } from '../../ui/format.ts'
import { Image } from '../../ui/image.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import styles from './orders.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

type Delivered = OutputOf<'orders.list_assets'>['features'][number]

const thumbnail_px = 240

/** The delivered items, as pictures, and the scenes that were not delivered. */
export function DeliveredItems({ order }: { order: Order }) {
  const items = useOperation('orders.list_assets', { order_id: order.id })
  const scenes = new Map(order.captures.map(({ item_id, id }) => [item_id, id]))
  const missing = order.captures.filter(({ deliveredAt }) => deliveredAt === null)
  return (
    <Section title={ordersTexts.items} actions={<ViewAll items={items.data?.features ?? []} />}>
      <QueryView query={items} rows={1}>
        {({ features }) =>
          features.length === 0 ? (
            <p className={typography['note']}>{ordersTexts.noItems}</p>
          ) : (
            <ul className={`${layout['pictures']} ${styles['items']}`}>
              {features.map((item) => (
                <li className={layout['stack4']} key={item.item_id}>
                  <DeliveredItem item={item} scene={scenes.get(item.item_id) ?? item.id} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      {missing.length > 0 && (
        <details>
          <summary>
            {ordersTexts.waiting}: {ordersTexts.scenes(missing.length)}
          </summary>
          <ul className={`${layout['bullets']} ${typography['note']}`}>
            {missing.map(({ id, host, datetime }) => (
              <li key={`${host} ${id}`}>
                {formatDate(datetime)} · {id}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}

/** The URL of the viewer for items. */
const viewSearch =
  (items: readonly Delivered[]) =>
  (previous: { v?: string }): Record<string, string> => ({
    ...keepView(previous),
    items: items.map(({ item_id }) => item_id).join(','),
  })

const ViewAll = ({ items }: { items: readonly Delivered[] }) =>
  items.length > 1 ? (
    <Link to="/view" search={viewSearch(items)}>
      {ordersTexts.viewAll}
    </Link>
  ) : null

function DeliveredItem({ item, scene }: { item: Delivered; scene: string }) {
  const { item_id, properties, assets } = item
  const size = Object.values(assets).reduce((sum, { file_size_bytes }) => sum + (file_size_bytes ?? 0), 0)
  const query = new URLSearchParams({ item_id, width: String(thumbnail_px), height: String(thumbnail_px) })
  const name = properties.datetime ? formatDate(properties.datetime) : scene
  return (
    <>
      <Link to="/view" search={viewSearch([item])} aria-label={`${ordersTexts.view} ${name}`}>
        <Image
          path={`/v1/op/items.tile.preview?${query.toString()}`}
          alt={ordersTexts.picture(name)}
          width={152}
          height={112}
        />
      </Link>
      <span>{name}</span>
      <small className={typography['anywhere']}>
        {scene}
        <br />
        {size > 0 && <Bytes bytes={size} />}
      </small>
      <span className={`${layout['facts']} ${typography['small']}`}>
        <Link to="/library/items/$itemId" params={{ itemId: item_id }} search={keepView}>
          {ordersTexts.inLibrary}
        </Link>
      </span>
    </>
  )
}
