import type { Project } from '@swath/contract/schemas/project.ts'

/** A stored project. */
export interface ProjectRow {
  readonly id: string
  readonly organization_id: string
  readonly name: string
  readonly description: string | null
  readonly region: string | null
  readonly storage_bucket: string | null
  readonly is_archived: boolean
  readonly created_by: string
  readonly created_at: Date
  readonly updated_at: Date
}

/** The representation of a project. */
export const toProject = (row: ProjectRow): Project => ({
  id: row.id,
  organization_id: row.organization_id,
  name: row.name,
  description: row.description,
  region: row.region,
  storage_bucket: row.storage_bucket,
  is_archived: row.is_archived,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
