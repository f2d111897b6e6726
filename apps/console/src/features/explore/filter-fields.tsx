import { useOperation } from '../../api/use-operation.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { uiTexts } from '../../texts/ui.ts'
import { DateField } from '../../ui/dates/date-field.tsx'
import { CheckboxField, RangeField, SelectField, type Choice } from '../../ui/field.tsx'
import styles from './explore.module.css'
import type { ExploreFilters, Ownership } from './filters.ts'
import { describeLicence } from '../../payments/describe-licence.ts'
import { describeSensor } from './describe-scene.ts'
import { licenceOf, sensorOf, type Scene } from './scenes.ts'
import layout from '../../ui/layout.module.css'

export interface FilterFieldsProps {
  readonly filters: ExploreFilters
  /** The scenes before the filters: their satellites and licences can be chosen. */
  readonly scenes: readonly Scene[]
  readonly onChange: (filters: ExploreFilters) => void
}

const words = exploreTexts
const any: Choice = { value: '', label: words.any }

const priceOf = (credits: number): string =>
  credits === 0 ? words.free : uiTexts.credits(credits, credits.toLocaleString('en'))

/** The filters that are bounds, with their choices. */
const bounds = [
  ['maxGsd', [0.5, 1, 5, 10, 30], words.gsd],
  ['maxCredits', [0, 500, 2000, 10_000], priceOf],
  ['maxOffNadir', [5, 10, 20, 30], words.angle],
  ['minSun', [10, 20, 30, 45], words.angle],
] as const satisfies readonly (readonly [keyof ExploreFilters, readonly number[], (value: number) => string])[]

/** Includes the value in the URL, even if no scene has it. */
const listChoices = (
  found: readonly (string | null)[],
  chosen: string | null,
  describe: (value: string) => string,
): readonly Choice[] => [
  any,
  ...[...new Set([...found, chosen])]
    .filter((value) => value !== null)
    .toSorted()
    .map((value) => ({ value, label: describe(value) })),
]

const listBounds = (
  values: readonly number[],
  chosen: number | null,
  describe: (value: number) => string,
): readonly Choice[] => [
  any,
  ...[...new Set([...values, ...(chosen === null ? [] : [chosen])])]
    .toSorted((left, right) => left - right)
    .map((value) => ({ value: String(value), label: describe(value) })),
]

export function FilterFields({ filters, scenes, onChange }: FilterFieldsProps) {
  const sources = useOperation('catalog.sources.list', {})
  const change = (part: Partial<ExploreFilters>): void => onChange({ ...filters, ...part })
  const hosts = (sources.data?.sources ?? []).map(({ id, title }) => ({ value: id, label: title }))
  const choices = [
    ['host', [{ value: '', label: words.allHosts }, ...hosts]],
    ['sensor', listChoices(scenes.map(sensorOf), filters.sensor, describeSensor)],
    ['licence', listChoices(scenes.map(licenceOf), filters.licence, describeLicence)],
  ] as const
  return (
    <div className={`${layout['pair']} ${styles['pair']}`}>
      <DateField
        label={words.from}
        value={filters.from ?? ''}
        max={filters.to ?? undefined}
        onChange={(from) => change({ from: from || null })}
      />
      <DateField
        label={words.to}
        value={filters.to ?? ''}
        min={filters.from ?? undefined}
        onChange={(to) => change({ to: to || null })}
      />
      <PercentFields filters={filters} onChange={change} />
      {bounds.map(([name, values, describe]) => (
        <SelectField
          key={name}
          label={words[name]}
          value={String(filters[name] ?? '')}
          onChange={(text) => change({ [name]: text === '' ? null : Number(text) })}
          choices={listBounds(values, filters[name], describe)}
        />
      ))}
      {choices.map(([name, list]) => (
        <SelectField
          key={name}
          label={words[name]}
          value={filters[name] ?? ''}
          onChange={(value) => change({ [name]: value || null })}
          choices={list}
        />
      ))}
      <SelectField
        label={words.ownership}
        value={filters.ownership ?? ''}
        onChange={(value) => change({ ownership: (value || null) as Ownership | null })}
        choices={[any, ...Object.entries(words.ownerships).map(([value, label]) => ({ value, label }))]}
      />
      <CheckboxField label={words.isStated} checked={filters.isStated} onChange={(isStated) => change({ isStated })} />
    </div>
  )
}

interface PercentFieldsProps {
  readonly filters: ExploreFilters
  readonly onChange: (part: Partial<ExploreFilters>) => void
}

const PercentFields = ({ filters: { area, maxCloud, minCover }, onChange }: PercentFieldsProps) => (
  <>
    <RangeField
      label={words.maxCloud}
      shown={maxCloud === null ? words.any : words.percent(maxCloud)}
      value={maxCloud ?? 100}
      min={0}
      max={100}
      step={5}
      onChange={(value) => onChange({ maxCloud: value === 100 ? null : value })}
    />
    {area && (
      <RangeField
        label={words.minCover}
        shown={minCover === null ? words.any : words.percent(minCover)}
        value={minCover ?? 0}
        min={0}
        max={100}
        step={5}
        onChange={(value) => onChange({ minCover: value === 0 ? null : value })}
      />
    )}
  </>
)
