import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Satellite } from 'lucide-react'
import { useMemo } from 'react'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import { geometryBounds } from '@swath/geo/bbox.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { useOperation } from '../../api/use-operation.ts'
import { AreaTools } from '../../area/area-tools.tsx'
import { AreaLayer } from '../../map/area-layer.tsx'
import { keepView } from '../../map/keep-view.ts'
import { useFitBounds } from '../../map/use-fit-bounds.ts'
import { areaTexts } from '../../texts/area.ts'
import { taskingTexts } from '../../texts/tasking.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatArea } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen, Section } from '../../ui/screen.tsx'
import { ConstraintsForm } from './constraints-form.tsx'
import { PassSection } from './pass-section.tsx'
import { ProductChoice } from './product-choice.tsx'
import { type TaskingChoices, parseTaskingChoices, toTaskingUrl } from './tasking-url.ts'
import { type TaskableProduct, findProduct, listProducts } from './tasking-products.ts'
import { TemplateSection } from './template-section.tsx'
import { TaskingFooter } from './tasking-footer.tsx'
import { fits, useTaskingOrder } from './use-tasking-order.ts'
import typography from '../../ui/typography.module.css'
import { isAreaUnknown } from '../../area/area-url.ts'

interface TaskingUrl {
  readonly request: TaskingChoices
  /** The URL names an area that this browser does not keep. */
  readonly isAreaMissing: boolean
  /** Changes a part; a pass belongs to the request that found it, so any other change drops it. */
  readonly change: (part: Partial<TaskingChoices>) => void
}

/** The choices in the URL of this screen, and functions to change them. */
function useTaskingUrl(): TaskingUrl {
  const navigate = useNavigate()
  const url = useSearch({ strict: false }) as Record<string, unknown>
  const request = useMemo(() => parseTaskingChoices(url), [url])
  return {
    request,
    isAreaMissing: useMemo(() => isAreaUnknown(url['area']), [url]),
    change: (part) =>
      void navigate({
        to: '.',
        search: ({ v }: { v?: string }) => ({
          ...(v ? { v } : {}),
          ...toTaskingUrl({ ...request, pass: null, ...part }),
        }),
        replace: true,
      }),
  }
}

/** The order of new imagery: product, area, window, pass and price. */
export function Tasking() {
  const sensors = useOperation('orders.tasking.sensors', {})
  const products = useMemo(() => listProducts(sensors.data?.sensors ?? []), [sensors.data])
  const { request, isAreaMissing, change } = useTaskingUrl()
  const product = findProduct(products, request.product)
  const order = useTaskingOrder(request, product)
  return (
    <Screen
      title={taskingTexts.title}
      actions={<CopyCall operation="orders.tasking.sensors" input={{}} />}
      footer={product && request.area && order && <TaskingFooter request={request} product={product} order={order} />}
    >
      <QueryView query={sensors} rows={4}>
        {() =>
          products.length === 0 ? (
            <NoProducts />
          ) : (
            <>
              <ProductChoice
                products={products}
                chosen={product}
                onChoose={(id) => change({ product: id, sensor: null })}
              />
              <AreaSection area={request.area} product={product} isMissing={isAreaMissing} onChange={change} />
              <TemplateSection products={products} product={product} request={request} onChange={change} />
              {product && order && (
                <ConstraintsForm request={request} product={product} now_ms={order.now_ms} onChange={change} />
              )}
              <PassSection request={request} product={product} order={order} onChoose={(pass) => change({ pass })} />
            </>
          )
        }
      </QueryView>
      {request.area && (
        <AreaLayer id="area" geometry={request.area as unknown as GeoJSON.Geometry} colour="--accent" isDashed />
      )}{' '}
      {/* prettier-ignore */}
      <FitArea area={request.area} />
    </Screen>
  )
}

interface AreaSectionProps {
  readonly area: AreaGeometry | null
  readonly product: TaskableProduct | null
  readonly isMissing: boolean
  readonly onChange: (part: Pick<TaskingChoices, 'area'>) => void
}

function AreaSection({ area, product, isMissing, onChange }: AreaSectionProps) {
  const bounds = product && ([formatArea(product.min_area_km2), formatArea(product.max_area_km2)] as const)
  const isOutside = area !== null && product !== null && !fits(area, product)
  return (
    <Section title={taskingTexts.area}>
      {isMissing && <p role="status">{areaTexts.unknown}</p>}
      <AreaTools area={area} onChange={(next) => onChange({ area: next })} />
      {bounds && !area && <p className={typography['muted']}>{taskingTexts.areaHelp(...bounds)}</p>}
      {bounds && isOutside && (
        <p role="alert" className={typography['warning']}>
          {taskingTexts.areaOutside(formatArea(geometryArea_km2(area)), ...bounds)}
        </p>
      )}
    </Section>
  )
}

/** Swaths are wider than most areas, and satellites pass beside them: so much is seen on each side, in the size of the area. */
const margin = 5

const widen = ([west, south, east, north]: readonly [number, number, number, number]) => {
  const [x, y] = [(east - west) * margin, (north - south) * margin]
  return [Math.max(-180, west - x), Math.max(-85, south - y), Math.min(180, east + x), Math.min(85, north + y)] as const
}

function FitArea({ area }: { area: AreaGeometry | null }) {
  useFitBounds(useMemo(() => area && widen(geometryBounds(area)), [area]))
  return null
}

const NoProducts = () => (
  <EmptyState icon={Satellite} title={taskingTexts.noProducts}>
    <p>{taskingTexts.noProductsHelp}</p>
    <Link to="/explore" search={keepView}>
      {taskingTexts.toExplore}
    </Link>
  </EmptyState>
)
