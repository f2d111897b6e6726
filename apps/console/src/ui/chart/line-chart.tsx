import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { chartTicks } from './chart-ticks.ts'
import styles from './line-chart.module.css'
import layout from '../layout.module.css'
import typography from '../typography.module.css'

export interface ChartSeries {
  readonly name: string
  /** A CSS colour. */
  readonly colour: string
  /** In the order of x; null is a gap. */
  readonly values: readonly (number | null)[]
  /** A dashed line without marks, such as a threshold. */
  readonly isReference?: boolean
  /** Marks without a line, such as those of another series that stand out. */
  readonly isMarkedOnly?: boolean
}

export interface LineChartProps {
  /** The description of the chart for screen readers. */
  readonly label: string
  readonly x: readonly number[]
  readonly series: readonly ChartSeries[]
  readonly formatX: (x: number) => string
  readonly formatY: (y: number) => string
  /** Marks each value: for few values at uneven distances. */
  readonly hasMarks?: boolean
  /** Called with the index of the value that is pointed at, null when none is. */
  readonly onPoint?: (index: number | null) => void
}

const [width, height] = [368, 168]
const inset = { left: 48, right: 12, top: 8, bottom: 24 }
const tick_count = 4

/** From values to positions in the drawing. */
interface ChartScale {
  readonly ticks: readonly number[]
  readonly toX: (x: number) => number
  readonly toY: (y: number) => number
}

function createScale(x: readonly number[], series: readonly ChartSeries[]): ChartScale {
  const values = series.flatMap((line) => line.values.filter((value) => value !== null))
  const ticks = chartTicks(Math.min(...values), Math.max(...values), tick_count)
  const [low, high] = [ticks[0]!, ticks.at(-1)!]
  const [first, last] = [x[0]!, x.at(-1)!]
  const [inner_width, inner_height] = [width - inset.left - inset.right, height - inset.top - inset.bottom]
  return {
    ticks,
    toX: (value) => inset.left + ((value - first) / (last - first || 1)) * inner_width,
    toY: (value) => height - inset.bottom - ((value - low) / (high - low || 1)) * inner_height,
  }
}

/** Lines over a common axis; the pointer or the arrow keys read the values. */
export function LineChart(props: LineChartProps) {
  const { label, x, series, formatX, formatY, hasMarks = false, onPoint } = props
  const [index, setIndex] = useState<number | null>(null)
  const scale = createScale(x, series)
  const { toX } = scale
  const point = (at: number | null): void => {
    setIndex(at)
    onPoint?.(at)
  }
  const move = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    const wanted = ((event.clientX - box.left) / box.width) * width
    const distances = x.map((value) => Math.abs(toX(value) - wanted))
    point(distances.indexOf(Math.min(...distances)))
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    point(Math.min(x.length - 1, Math.max(0, (index ?? -1) + step)))
  }
  const shown = index !== null && index < x.length ? index : null
  return (
    <figure className={`${layout['stack4']} ${styles['chart']}`}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={label}
        tabIndex={0}
        onPointerMove={move}
        onPointerLeave={() => point(null)}
        onKeyDown={press}
      >
        <ChartAxes x={x} scale={scale} formatX={formatX} formatY={formatY} />
        {series.map((line) => (
          <ChartLine key={line.name} line={line} x={x} scale={scale} shown={shown} hasMarks={hasMarks} />
        ))}
        {shown !== null && (
          <line className={styles['cursor']} x1={toX(x[shown]!)} x2={toX(x[shown]!)} y1={inset.top} y2={height - inset.bottom} /> // prettier-ignore
        )}
      </svg>
      <div className={`figures ${styles['keys']}`} role="status">
        {shown !== null && <span>{formatX(x[shown]!)}</span>}
        {series.map(({ name, colour, values }) => (
          <span key={name} className={styles['key']}>
            <i style={{ background: colour }} aria-hidden />
            {name}
            {shown !== null && <b className={typography['normal']}>{formatOrGap(values[shown], formatY)}</b>}
          </span>
        ))}
      </div>
    </figure>
  )
}

const formatOrGap = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '—' : format(value)

type ChartAxesProps = Pick<LineChartProps, 'x' | 'formatX' | 'formatY'> & { readonly scale: ChartScale }

function ChartAxes({ x, scale: { ticks, toY }, formatX, formatY }: ChartAxesProps) {
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={styles['grid']} x1={inset.left} x2={width - inset.right} y1={toY(tick)} y2={toY(tick)} />
          <text x={inset.left - 6} y={toY(tick) + 4} textAnchor="end">
            {formatY(tick)}
          </text>
        </g>
      ))}
      <text x={inset.left} y={height - 6}>
        {formatX(x[0]!)}
      </text>
      <text x={width - inset.right} y={height - 6} textAnchor="end">
        {formatX(x.at(-1)!)}
      </text>
    </>
  )
}

interface ChartLineProps {
  readonly line: ChartSeries
  readonly x: readonly number[]
  readonly scale: ChartScale
  readonly shown: number | null
  readonly hasMarks: boolean
}

function ChartLine({ line, x, scale: { toX, toY }, shown, hasMarks }: ChartLineProps) {
  const { colour, values, isReference = false, isMarkedOnly = false } = line
  const points = values.map((value, at) => (value === null ? null : ([toX(x[at]!), toY(value)] as const)))
  return (
    <>
      {!isMarkedOnly && (
        <path d={toPath(points)} style={{ stroke: colour }} strokeDasharray={isReference ? '5 3' : undefined} />
      )}
      {points.map(
        (point, at) =>
          point &&
          !isReference &&
          (hasMarks || at === shown) && (
            <circle
              key={x[at]}
              cx={point[0]}
              cy={point[1]}
              r={isMarkedOnly ? 5 : at === shown ? 4 : 3}
              style={{ fill: colour }}
            />
          ),
      )}
    </>
  )
}

/** A gap ends a line and begins another. */
function toPath(points: readonly (readonly [x: number, y: number] | null)[]): string {
  return points
    .map((point, at) => (point ? `${points[at - 1] ? 'L' : 'M'}${point[0].toFixed(1)},${point[1].toFixed(1)}` : ''))
    .join('')
}
