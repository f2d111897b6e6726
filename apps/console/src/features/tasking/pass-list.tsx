import { CalendarX2, Satellite, Sun } from 'lucide-react'
import { taskingTexts } from '../../texts/tasking.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCredits, formatPercent } from '../../ui/format.ts'
import type { PassOption } from './passes.ts'
import styles from './tasking.module.css'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = taskingTexts

export interface PassListProps {
  readonly passes: readonly PassOption[]
  readonly hovered: string | null
  readonly chosen: string | null
  readonly onHover: (pass: string | null) => void
  readonly onChoose: (pass: string) => void
}

/** Passes as rows: time and satellite, angles and sun, with the price and the chance of success side by side. */
export const PassList = ({ passes, hovered, chosen, onHover, onChoose }: PassListProps) => (
  <ul className={`${layout['grid']} ${layout['bleed']} ${styles['passes']}`}>
    {passes.map((pass) => (
      <li
        className={`${layout['lineAbove']} ${layout['choice']}`}
        key={pass.id}
        data-pass={pass.id}
        data-hovered={pass.id === hovered}
      >
        <button
          type="button"
          className={`${layout['sides']} ${layout['gap12']} ${layout['wide']} ${layout['flat']} ${layout['choice']}`}
          aria-pressed={pass.id === chosen}
          aria-disabled={pass.conflict !== null}
          onClick={() => onChoose(pass.id)}
          onPointerEnter={() => onHover(pass.id)}
          onPointerLeave={() => onHover(null)}
          onFocus={() => onHover(pass.id)}
          onBlur={() => onHover(null)}
        >
          <PassSummary pass={pass} />
        </button>
      </li>
    ))}
  </ul>
)

function PassSummary({ pass }: { pass: PassOption }) {
  const {
    acquisitionStart,
    satellite,
    sensor,
    offNadirAngle,
    sunElevation,
    cloudCover,
    coverage,
    probability,
    maxCloudCover,
    conflict,
  } = pass
  return (
    <>
      <span className={`${layout['stack2']} ${layout['narrow']} ${layout['top']} ${styles['when']}`}>
        <strong className={typography['medium']}>
          <Time at={acquisitionStart} />
        </strong>
        <small>
          <Satellite size={12} aria-hidden /> {satellite ?? sensor}
          {cloudCover !== null && ` · ${words.expectedCloud(formatPercent(cloudCover))}`}
          {coverage < 1 && ` · ${words.cover(formatPercent(coverage * 100))}`}
        </small>
        <small className="figures">
          {offNadirAngle !== null && words.offNadir(offNadirAngle)}
          {sunElevation !== null && (
            <>
              {' · '}
              <Sun size={12} aria-hidden /> {words.sun(sunElevation)}
            </>
          )}
        </small>
      </span>
      <span className={`${layout['stack2']} ${layout['narrow']} ${layout['top']} ${styles['worth']}`}>
        <b className="figures">{pass.creditsPrice === null ? words.perQuotation : formatCredits(pass.creditsPrice)}</b>
        {conflict !== null ? (
          <Badge icon={CalendarX2} tone="warning">
            {words.conflict}
          </Badge>
        ) : (
          probability !== null && <Chance probability={probability} maxCloud={maxCloudCover} />
        )}
      </span>
    </>
  )
}

/**
 * The probability of an image with little enough cloud, in the part that the pass reaches; a host may not say how it
 * defines success.
 */
const Chance = ({ probability, maxCloud }: { probability: number; maxCloud: number | null }) => (
  <span className={`${layout['stack4']} ${styles['chance']}`}>
    <small className="figures">{words.chance(formatPercent(probability * 100), maxCloud)}</small>
    <i aria-hidden>
      <i style={{ inlineSize: `${probability * 100}%` }} />
    </i>
  </span>
)
