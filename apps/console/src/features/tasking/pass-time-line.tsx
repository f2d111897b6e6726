import { taskingTexts } from '../../texts/tasking.ts'
import type { PassOption } from './passes.ts'
import styles from './tasking.module.css'
import { timeTicks } from './time-ticks.ts'

const words = taskingTexts
const [width, height] = [368, 112]
const inset = { left: 40, right: 10, top: 8, bottom: 22 }

/** From 2 for a pass that will fail to 5 for one that will succeed. */
const toRadius = (probability: number | null): number => 2 + 3 * (probability ?? 0.5)

export interface PassTimeLineProps {
  readonly passes: readonly PassOption[]
  readonly window: { readonly from: string; readonly to: string }
  readonly hovered: string | null
  readonly chosen: string | null
  readonly onHover: (pass: string | null) => void
  readonly onChoose: (pass: string) => void
}

/** Passes by time and off-nadir angle; the list below has the same for those who do not see it. */
export function PassTimeLine({ passes, window, hovered, chosen, onHover, onChoose }: PassTimeLineProps) {
  const [from_ms, to_ms] = [Date.parse(window.from), Date.parse(window.to)]
  const toX = (ms: number): number =>
    inset.left + ((ms - from_ms) / (to_ms - from_ms)) * (width - inset.left - inset.right)
  const most_deg = Math.max(10, ...passes.map(({ offNadirAngle }) => Math.ceil((offNadirAngle ?? 0) / 10) * 10))
  // Straight down is at the top; a host that does not say the angle has its passes at the bottom.
  const toY = (degrees: number): number => inset.top + (degrees / most_deg) * (height - inset.top - inset.bottom)
  return (
    <figure className={styles['timeLine']}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words.timeLine(passes.length)}>
        {[0, most_deg / 2, most_deg].map((value) => (
          <g key={value}>
            <line x1={inset.left} x2={width - inset.right} y1={toY(value)} y2={toY(value)} />
            <text x={inset.left - 6} y={toY(value) + 4} textAnchor="end">
              {words.degrees(value)}
            </text>
          </g>
        ))}
        {timeTicks(from_ms, to_ms).map(({ at_ms, label }) => (
          <g key={at_ms}>
            <line x1={toX(at_ms)} x2={toX(at_ms)} y1={inset.top} y2={height - inset.bottom} />
            <text x={toX(at_ms)} y={height - 6} textAnchor="middle">
              {label}
            </text>
          </g>
        ))}
        {passes.map(({ id, acquisitionStart, offNadirAngle, probability, conflict }) => (
          <circle
            key={id}
            cx={toX(Date.parse(acquisitionStart))}
            cy={toY(offNadirAngle ?? most_deg)}
            r={toRadius(probability) + (id === chosen || id === hovered ? 2 : 0)}
            data-chosen={id === chosen}
            data-hovered={id === hovered}
            data-conflict={conflict !== null}
            onPointerEnter={() => onHover(id)}
            onPointerLeave={() => onHover(null)}
            onClick={() => onChoose(id)}
          />
        ))}
      </svg>
      <figcaption>{words.axis}</figcaption>
    </figure>
  )
}
