import { SatelliteDish } from 'lucide-react'
import { useMemo, useState } from 'react'
import { FootprintLayer } from '../../map/footprint-layer.tsx'
import { LineLayer } from '../../map/line-layer.tsx'
import { taskingTexts } from '../../texts/tasking.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { Segments } from '../../ui/segments.tsx'
import { PassList } from './pass-list.tsx'
import { PassTimeLine } from './pass-time-line.tsx'
import { sortPasses, toSwaths, toTracks, type PassOption, type PassOrder } from './passes.ts'
import type { TaskingChoices } from './tasking-url.ts'
import { toOpportunitiesInput } from './tasking-input.ts'
import type { TaskableProduct } from './tasking-products.ts'
import styles from './tasking.module.css'
import { fits, type TaskingOrder } from './use-tasking-order.ts'
import typography from '../../ui/typography.module.css'
import layout from '../../ui/layout.module.css'

const words = taskingTexts
const page_size = 12

const orders = Object.entries(words.sorts).map(([value, label]) => ({ value: value as PassOrder, label }))

export interface PassSectionProps {
  readonly request: TaskingChoices
  readonly product: TaskableProduct | null
  readonly order: TaskingOrder | null
  readonly onChoose: (pass: string | null) => void
}

/** When satellites can acquire the area: on a time line, in a list and on the map, linked with each other. */
export function PassSection({ request, product, order, onChoose }: PassSectionProps) {
  const { area } = request
  if (!product || !area || !order)
    return (
      <Section title={words.passes}>
        <p className={typography['muted']}>{product ? words.needArea : words.needProduct}</p>
      </Section>
    )
  if (!order.isWindowValid || !fits(area, product)) return null
  const input = toOpportunitiesInput(request, product, area, order.window)
  return (
    <Section title={words.passes} actions={<CopyCall operation="orders.tasking.opportunities_list" input={input} />}>
      <QueryView query={order.passes} rows={4}>
        {({ opportunities }) =>
          opportunities.length === 0 ? (
            <EmptyState icon={SatelliteDish} title={words.noPasses}>
              <p>{words.noPassesHelp}</p>
            </EmptyState>
          ) : (
            <Passes passes={opportunities} chosen={request.pass} window={order.window} onChoose={onChoose} />
          )
        }
      </QueryView>
    </Section>
  )
}

interface PassesProps {
  readonly passes: readonly PassOption[]
  readonly chosen: string | null
  readonly window: TaskingOrder['window']
  readonly onChoose: (pass: string | null) => void
}

function Passes({ passes, chosen, window, onChoose }: PassesProps) {
  const [sort, setSort] = useState<PassOrder>('soonest')
  const [count, setCount] = useState(page_size)
  const [hovered, setHovered] = useState<string | null>(null)
  const sorted = useMemo(() => sortPasses(passes, sort), [passes, sort])
  // The chosen one is always in the list, however it is sorted.
  const shown = sorted.filter(({ id }, at) => at < count || id === chosen)
  const toggle = (id: string): void => {
    if (passes.find((pass) => pass.id === id)?.conflict === null) onChoose(id === chosen ? null : id)
  }
  return (
    <>
      <PassTimeLine
        passes={passes}
        window={window}
        hovered={hovered}
        chosen={chosen}
        onHover={setHovered}
        onChoose={toggle}
      />
      <div className={`${layout['facts']} ${styles['head']}`}>
        <span role="status">{words.found(passes.length)}</span>
        <Segments label={words.order} choices={orders} value={sort} onChange={setSort} />
      </div>
      <PassList passes={shown} hovered={hovered} chosen={chosen} onHover={setHovered} onChoose={toggle} />
      {count < sorted.length && (
        <button type="button" className={styles['more']} onClick={() => setCount(count + page_size)}>
          {words.more(Math.min(page_size, sorted.length - count))}
        </button>
      )}
      <PassLayers passes={shown} hovered={hovered} chosen={chosen} onHover={setHovered} onChoose={toggle} />
    </>
  )
}

interface PassLayersProps {
  readonly passes: readonly PassOption[]
  readonly hovered: string | null
  readonly chosen: string | null
  readonly onHover: (pass: string | null) => void
  readonly onChoose: (pass: string) => void
}

/** The ground tracks of the listed passes, and the swaths of those that are pointed at or chosen. */
function PassLayers({ passes, hovered, chosen, onHover, onChoose }: PassLayersProps) {
  const stressed = useMemo(
    () => new Set([hovered, chosen].filter((id): id is string => id !== null)),
    [hovered, chosen],
  )
  const ids = passes.map(({ id }) => id).join()
  // Another list of the same passes draws nothing anew.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const tracks = useMemo(() => toTracks(passes), [ids])
  const swaths = useMemo(() => toSwaths(passes.filter(({ id }) => stressed.has(id))), [passes, stressed])
  const selected = useMemo(() => new Set(chosen === null ? [] : [chosen]), [chosen])
  return (
    <>
      <LineLayer id="tracks" lines={tracks} stressed={stressed} />
      <FootprintLayer
        id="swaths"
        footprints={swaths}
        hovered={hovered}
        selected={selected}
        onHover={onHover}
        onSelect={onChoose}
      />
    </>
  )
}
