import type { AlertRule, InputOf } from '@swath/client/operations.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'

export type RuleComparison = AlertRule['comparison']
export type Statistic = AlertRule['statistic']
export type Channel = AlertRule['notification_channels'][number]

/** A rule as a person writes it: numbers are text until they are sent. */
export interface RuleDraft {
  readonly name: string
  readonly expression: string
  readonly statistic: Statistic
  readonly comparison: RuleComparison
  readonly threshold: string
  readonly upper: string
  readonly hysteresis: string
  readonly cooldown: string
  readonly channels: readonly Channel[]
  /** Empty for every project that the person may read. A rule keeps its project. */
  readonly projectId: string
  readonly collectionId: string
  readonly area: AreaGeometry | null
  readonly assetKey: string
  /** `red=3, nir=4`. */
  readonly bands: string
  readonly isLate: boolean
}

/** The properties of each part of the form. */
export interface RuleFieldsProps {
  readonly draft: RuleDraft
  readonly onChange: (part: Partial<RuleDraft>) => void
}

export const newDraft: RuleDraft = {
  name: '',
  expression: 'ndvi',
  statistic: 'mean',
  comparison: 'lt',
  threshold: '',
  upper: '',
  hysteresis: '',
  cooldown: '60',
  channels: ['in_app'],
  projectId: '',
  collectionId: '',
  area: null,
  assetKey: 'data',
  bands: '',
  isLate: false,
}

const formatNumber = (value: number | null): string => (value === null ? '' : String(value))

/** The draft that an existing rule is edited as. */
export const toDraft = (rule: AlertRule): RuleDraft => ({
  name: rule.name,
  expression: rule.expression,
  statistic: rule.statistic,
  comparison: rule.comparison,
  threshold: formatNumber(rule.threshold),
  upper: formatNumber(rule.threshold_upper),
  hysteresis: formatNumber(rule.hysteresis),
  cooldown: formatNumber(rule.cooldown_minutes),
  channels: rule.notification_channels,
  projectId: rule.project_id ?? '',
  collectionId: rule.collection_id ?? '',
  area: rule.aoi as AreaGeometry | null,
  assetKey: rule.asset_key,
  bands: Object.entries(rule.band_mapping)
    .map(([name, number]) => `${name}=${number}`)
    .join(', '),
  isLate: rule.event_types.includes('item.updated'),
})

export const isRange = (comparison: RuleComparison): boolean => comparison === 'between' || comparison === 'outside'
/** A value that is exactly the threshold has no beyond to return to. */
export const hasReturn = (comparison: RuleComparison): boolean => comparison !== 'eq' && comparison !== 'neq'

/** Null for a text that is not a number. */
export function readNumber(text: string): number | null {
  const value = Number(text.trim())
  return text.trim() === '' || !Number.isFinite(value) ? null : value
}

/** Null if a part is not `name=number`. */
export function readBands(text: string): Record<string, number> | null {
  const parts = text.split(',').map((part) => part.trim()).filter((part) => part !== '') // prettier-ignore
  const pairs = parts.map((part) => /^([A-Za-z_]\w*)\s*=\s*([1-9]\d*)$/.exec(part))
  if (pairs.includes(null)) return null
  return Object.fromEntries(pairs.map((pair) => [pair![1]!, Number(pair![2])]))
}

/** The fields that the inputs of create and update have in common. */
type RuleInput = Omit<InputOf<'alerts.create_rule'>, 'project_id' | 'description'>

/** The input of a draft; null while it is not complete. */
export function toRuleInput(draft: RuleDraft): RuleInput | null {
  const { comparison, hysteresis, area } = draft
  const [threshold, upper, cooldown] = [draft.threshold, draft.upper, draft.cooldown].map(readNumber)
  const [name, expression, band_mapping] = [draft.name.trim(), draft.expression.trim(), readBands(draft.bands)]
  const isReturning = hasReturn(comparison) && hysteresis.trim() !== ''
  const returning = isReturning ? readNumber(hysteresis) : null
  const isComplete = name !== '' && expression !== '' && draft.assetKey.trim() !== ''
  if (!isComplete || band_mapping === null || threshold === null || threshold === undefined) return null
  if (cooldown === null || cooldown === undefined || !Number.isInteger(cooldown) || cooldown < 0) return null
  if (isRange(comparison) && (upper === null || upper === undefined || upper < threshold)) return null
  if (isReturning && (returning === null || returning < 0)) return null
  return {
    name,
    expression,
    statistic: draft.statistic,
    comparison,
    threshold,
    threshold_upper: isRange(comparison) ? upper! : null,
    hysteresis: returning,
    cooldown_minutes: cooldown,
    notification_channels: [...draft.channels],
    collection_id: draft.collectionId || null,
    aoi: area as RuleInput['aoi'],
    asset_key: draft.assetKey.trim(),
    band_mapping,
    event_types: draft.isLate ? ['item.created', 'item.updated'] : ['item.created'],
  }
}
