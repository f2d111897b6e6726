import { day_ms } from '@swath/geo/time-units.ts'
import type { InputOf } from '@swath/client/operations.ts'
import type { SavedAreas } from '../../../area/saved-areas.ts'

type ReportInput = InputOf<'reports.create'>
type ScheduleInput = InputOf<'reports.schedules.create'>
export type DraftSubject = ReportInput['report_type']
export type DraftFormat = ReportInput['formats'][number]
export type DraftFrequency = 'once' | ScheduleInput['frequency']

/** The choices of a person for a report. */
export interface ReportDraft {
  readonly name: string
  readonly type: DraftSubject
  /** Empty: all projects. */
  readonly projectId: string
  readonly days: string
  readonly frequency: DraftFrequency
  /** The name of a saved area. */
  readonly areaName: string
  readonly formats: readonly DraftFormat[]
}

export const newDraft: ReportDraft = {
  name: '',
  type: 'spending',
  projectId: '',
  days: '30',
  frequency: 'once',
  areaName: '',
  formats: ['pdf', 'csv'],
}

/** Reports on subjects without a geometry have no GeoJSON. */
export const formatsOf = (type: DraftSubject): readonly DraftFormat[] =>
  type === 'usage' || type === 'processing' ? ['pdf', 'csv'] : ['pdf', 'csv', 'geojson']

/** The call of a draft; null while something is missing. */
export function toCall(
  { name, type, projectId, days, frequency, areaName, formats }: ReportDraft,
  areas: SavedAreas,
  now: Date,
): ['reports.create', ReportInput] | ['reports.schedules.create', ScheduleInput] | null {
  const area = areas[areaName]
  const chosen = formatsOf(type).filter((format) => formats.includes(format))
  if (chosen.length === 0 || (type === 'area_monitoring' && !area)) return null
  const subject = {
    report_type: type,
    formats: [...chosen],
    ...(projectId ? { project_id: projectId } : {}),
    ...(type === 'area_monitoring' ? { area: area as ReportInput['area'], area_name: areaName } : {}),
  }
  const title = name.trim()
  if (frequency === 'once') {
    const from = new Date(now.getTime() - Number(days) * day_ms).toISOString()
    return ['reports.create', { ...subject, from, ...(title ? { name: title } : {}) }]
  }
  return title ? ['reports.schedules.create', { ...subject, name: title, frequency }] : null
}
