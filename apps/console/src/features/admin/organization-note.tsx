import { adminTexts } from '../../texts/admin.ts'
import { Identifier } from '../../ui/identifier.tsx'

interface OrganizationNoteProps {
  readonly id: string | null
  /** Null if the organization does not exist any more. */
  readonly name: string | null
}

/** The organization of a row: its name, or the id of a deleted one; nothing without an organization. */
export function OrganizationNote({ id, name }: OrganizationNoteProps) {
  if (id === null) return null
  return name === null ? (
    <Identifier id={id} />
  ) : (
    <small>
      {adminTexts.organization}: {name}
    </small>
  )
}
