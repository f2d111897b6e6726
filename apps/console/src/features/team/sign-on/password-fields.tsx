import { useOperation } from '../../../api/use-operation.ts'
import { signOnTexts } from '../../../texts/sign-on.ts'
import { CheckboxField, SelectField } from '../../../ui/field.tsx'
import { useAuthority } from '../use-authority.ts'
import type { ProviderDraft } from './provider-draft.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = signOnTexts.provider

interface PasswordFieldsProps {
  readonly draft: ProviderDraft
  readonly onChange: (changes: Partial<ProviderDraft>) => void
}

/** Whether passwords are refused, and the owners who keep theirs. */
export const PasswordFields = ({ draft, onChange }: PasswordFieldsProps) => (
  <>
    <SelectField
      label={words.mode}
      value={draft.mode}
      onChange={(mode) => onChange({ mode: mode as ProviderDraft['mode'] })}
      choices={Object.entries(words.modes).map(([value, label]) => ({ value, label }))}
    />
    {draft.mode === 'required' && <EmergencyFields draft={draft} onChange={onChange} />}
  </>
)

function EmergencyFields({ draft: { emergency }, onChange }: PasswordFieldsProps) {
  const { role } = useAuthority()
  const members = useOperation('organizations.members.list', {}).data?.members ?? []
  const owners = members.filter((member) => member.role === 'owner')
  const isOwner = role === 'owner'
  return (
    <fieldset className={`${layout['boxed']} ${layout['stack8']}`}>
      <legend>{words.emergency}</legend>
      <p className={typography['muted']}>{isOwner ? words.emergencyHelp : words.emergencyOwners}</p>
      {owners.map(({ user_id, name, email }) => (
        <CheckboxField
          key={user_id}
          label={name ?? email}
          disabled={!isOwner}
          checked={emergency.includes(user_id)}
          onChange={(isChosen) =>
            onChange({ emergency: isChosen ? [...emergency, user_id] : emergency.filter((id) => id !== user_id) })
          }
        />
      ))}
    </fieldset>
  )
}
