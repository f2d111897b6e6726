import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { AreaLayer } from '../../map/area-layer.tsx'
import { keepView } from '../../map/keep-view.ts'
import { useFitBounds } from '../../map/use-fit-bounds.ts'
import { geometryBounds } from '@swath/geo/bbox.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { inboxTexts } from '../../texts/inbox.ts'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'

/** The order that a decision belongs to: its page, and its area on the map. */
export function DecidedOrder({ orderId }: { orderId: string }) {
  const order = useOperation('orders.get', { order_id: orderId })
  const [isShown, setShown] = useState(false)
  const area = order.data?.tasking?.geometry
  return (
    <>
      <div className={layout['facts']}>
        <Link to="/orders/$orderId" params={{ orderId }} search={keepView}>
          {inboxTexts.toOrder}
        </Link>
        {area && (
          <Button kind="quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {inboxTexts.showArea}
          </Button>
        )}
      </div>
      {area && (
        <AreaLayer id={`inbox-${orderId}`} geometry={area as unknown as GeoJSON.Geometry} colour="--accent" isDashed />
      )}
      {isShown && area && <FitArea area={area as unknown as AreaGeometry} />}
    </>
  )
}

function FitArea({ area }: { area: AreaGeometry }) {
  useFitBounds(geometryBounds(area))
  return null
}
