import type { OutputOf } from '@swath/client/operations.ts'
import { coordinateExtent } from '@swath/geo/coordinate-extent.ts'
import { useOperation } from '../../api/use-operation.ts'
import { AreaLayer } from '../../map/area-layer.tsx'
import { useFitBounds } from '../../map/use-fit-bounds.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { Facts } from '../../ui/facts.tsx'
import { formatArea, formatPercent } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import styles from './orders.module.css'

type Coverage = OutputOf<'orders.coverage.get'>
type Part = Coverage['covered']

/** The delivered part of the ordered area, in figures and on the map. */
export function OrderCoverage({ orderId }: { orderId: string }) {
  const coverage = useOperation('orders.coverage.get', { order_id: orderId })
  return (
    <Section title={ordersTexts.area}>
      <QueryView query={coverage} rows={1}>
        {(data) => <CoverageFigures coverage={data} />}
      </QueryView>
    </Section>
  )
}

function CoverageFigures({ coverage: { covered, remainder } }: { coverage: Coverage }) {
  useFitBounds(boundsOf([covered, remainder]))
  return (
    <>
      <div className={styles['bar']} aria-hidden>
        <span style={{ width: `${covered.percentage}%` }} />
      </div>
      <Facts
        facts={[
          [ordersTexts.covered, <PartFigure key="covered" part={covered} isDashed={false} />],
          [ordersTexts.remaining, <PartFigure key="remaining" part={remainder} isDashed />],
        ]}
      />
      {covered.geometry && (
        <AreaLayer id="order-covered" geometry={covered.geometry as GeoJSON.Geometry} colour="--good" />
      )}
      {remainder.geometry && (
        <AreaLayer id="order-remaining" geometry={remainder.geometry as GeoJSON.Geometry} colour="--warning" isDashed />
      )}
    </>
  )
}

const PartFigure = ({ part: { sqKmArea, percentage }, isDashed }: { part: Part; isDashed: boolean }) => (
  <span className="figures">
    <span className={styles['legend']} data-dashed={isDashed} aria-hidden />
    {ordersTexts.areaOf(formatArea(sqKmArea), formatPercent(percentage))}
  </span>
)

function boundsOf(parts: readonly Part[]) {
  const coordinates = parts.flatMap(({ geometry }) =>
    geometry && 'coordinates' in geometry ? [geometry.coordinates as unknown] : [],
  )
  return coordinates.length === 0 ? null : coordinateExtent(coordinates)
}
