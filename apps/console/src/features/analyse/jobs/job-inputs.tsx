import { Link } from '@tanstack/react-router'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Job } from '@swath/client/operations.ts'
import { keepView } from '../../../map/keep-view.ts'
import { texts } from '../../../texts.ts'
import { Facts } from '../../../ui/facts.tsx'
import { formatArea } from '../../../ui/format.ts'
import { Section } from '../../../ui/screen.tsx'
import { labelOf } from '../form/process-fields.ts'
import { useSources } from '../sources/use-sources.ts'
import { listSourceIds } from './rerun.ts'

/** The inputs of a job. */
export function JobInputs({ job: { input_params } }: { job: Job }) {
  const ids = listSourceIds(input_params)
  const sources = useSources(ids)
  const others = Object.entries(input_params).filter(([, value]) => ![value].flat().some((one) => ids.includes(one as string))) // prettier-ignore
  return (
    <Section title={texts.analyse.inputs}>
      <Facts
        facts={[
          [
            texts.analyse.facts.items,
            sources.items.length > 0 && (
              <span key="items">
                {sources.items.map(({ id, title }, at) => (
                  <span key={id}>
                    {at > 0 && ', '}
                    <Link to="/library/items/$itemId" params={{ itemId: id }} search={keepView}>
                      {title}
                    </Link>
                  </span>
                ))}
              </span>
            ),
          ],
          ...others.map(([name, value]) => [labelOf(name), showValue(value)] as const),
        ]}
      />
    </Section>
  )
}

const isArea = (value: object): value is AreaGeometry => 'coordinates' in value

function showValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return isArea(value) ? formatArea(geometryArea_km2(value)) : JSON.stringify(value)
}
