import type { Order } from '@swath/client/operations.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { taskingTexts } from '../../texts/tasking.ts'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatPercent, formatTime } from '../../ui/format.ts'
import { Section } from '../../ui/screen.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = ordersTexts.acquisitions
type Tasking = NonNullable<Order['tasking']>
type Pass = Tasking['passes'][number]

/** The parameters of a tasking order, and its planned acquisitions. */
export function AcquisitionSection({ tasking }: { tasking: Tasking }) {
  const { acquisitionStart, acquisitionEnd, sensor, maxCloudCover, maxOffNadirAngle, minSunElevation, replan } = tasking
  const limits = taskingTexts
  return (
    <Section title={words.title}>
      <Facts
        facts={[
          [limits.facts.window, ordersTexts.window(formatTime(acquisitionStart), formatTime(acquisitionEnd))],
          [limits.sensor, sensor],
          [limits.maxCloud, maxCloudCover === null ? words.anyCloud : limits.percent(maxCloudCover)],
          [limits.maxOffNadir, maxOffNadirAngle !== null && limits.degrees(maxOffNadirAngle)],
          [limits.minSun, minSunElevation !== null && limits.degrees(minSunElevation)],
          [words.replan, replan && words.replans],
        ]}
      />
      <h3>{words.passes}</h3>
      {tasking.passes.length === 0 ? (
        <p className={typography['note']}>{words.noPasses}</p>
      ) : (
        <ol className={layout['stack4']}>
          {tasking.passes.map((pass) => (
            <li className={layout['lines']} key={`${pass.area} ${pass.at}`}>
              <Time at={pass.at} />
              <small>{describePass(pass, tasking.areaCount)}</small>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

/** `SENTINEL-2A · to come`, or what came of it. */
function describePass({ area, satellite, cloudCover, accepted }: Pass, areaCount: number): string {
  const outcome = accepted === null ? words.toCome : accepted ? words.accepted : words.clouded
  return [
    satellite ?? words.notPlanned,
    areaCount > 1 && words.area(area),
    outcome,
    cloudCover !== null && taskingTexts.cloud(formatPercent(cloudCover)),
  ]
    .filter(Boolean)
    .join(' · ')
}
