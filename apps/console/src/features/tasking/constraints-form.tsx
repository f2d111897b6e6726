import { day_ms } from '@swath/geo/time-units.ts'
import { taskingTexts } from '../../texts/tasking.ts'
import { DateField } from '../../ui/dates/date-field.tsx'
import { CheckboxField, RangeField, SelectField } from '../../ui/field.tsx'
import { Section } from '../../ui/screen.tsx'
import type { TaskingChoices } from './tasking-url.ts'
import { windowDays } from './tasking-input.ts'
import type { TaskableProduct } from './tasking-products.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = taskingTexts

export interface ConstraintsFormProps {
  readonly request: TaskingChoices
  readonly product: TaskableProduct
  /** The present of the organization. */
  readonly now_ms: number
  readonly onChange: (part: Partial<TaskingChoices>) => void
}

/** The acquisition window, the limits of cloud, angle and sun, and the sensor. */
export function ConstraintsForm({ request, product, now_ms, onChange }: ConstraintsFormProps) {
  const { from, to } = windowDays(request, product, now_ms)
  const length_days = (Date.parse(to) - Date.parse(from)) / day_ms
  const isInvalid = !(length_days >= 0 && length_days <= product.max_window_days)
  const reach_deg = Math.ceil(Math.max(...product.sensors.map(({ max_off_nadir_deg }) => max_off_nadir_deg)))
  return (
    <Section title={words.window}>
      <div className={layout['pair']}>
        <DateField
          label={words.from}
          value={from}
          min={new Date(now_ms).toISOString().slice(0, 10)}
          onChange={(day) => onChange({ from: day || null })}
        />
        <DateField label={words.to} value={to} min={from} onChange={(day) => onChange({ to: day || null })} />
      </div>
      {isInvalid && (
        <p role="alert" className={typography['warning']}>
          {words.windowInvalid(product.max_window_days)}
        </p>
      )}
      <div className={layout['pair']}>
        <RangeField
          label={words.maxCloud}
          shown={request.maxCloud === null ? words.any : words.percent(request.maxCloud)}
          value={request.maxCloud ?? 100}
          min={0}
          max={100}
          step={5}
          onChange={(value) => onChange({ maxCloud: value === 100 ? null : value })}
        />
        <RangeField
          label={words.maxOffNadir}
          shown={request.maxOffNadir === null ? words.any : words.degrees(request.maxOffNadir)}
          value={Math.min(request.maxOffNadir ?? reach_deg, reach_deg)}
          min={0}
          max={reach_deg}
          step={1}
          onChange={(value) => onChange({ maxOffNadir: value === reach_deg ? null : value })}
        />
        <RangeField
          label={words.minSun}
          shown={request.minSun === null ? words.any : words.degrees(request.minSun)}
          value={request.minSun ?? 0}
          min={0}
          max={80}
          step={5}
          onChange={(value) => onChange({ minSun: value === 0 ? null : value })}
        />
        <SelectField
          label={words.sensor}
          value={request.sensor ?? ''}
          onChange={(sensor) => onChange({ sensor: sensor || null })}
          choices={[
            { value: '', label: words.anySensor },
            ...product.sensors.map(({ id, title }) => ({ value: id, label: title })),
          ]}
        />
      </div>
      <CheckboxField
        label={words.replan}
        checked={request.replan}
        onChange={(replan) => onChange({ replan, pass: request.pass })}
      />
    </Section>
  )
}
