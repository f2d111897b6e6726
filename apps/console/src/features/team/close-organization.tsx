import { usePrincipal } from '../../api/use-principal.ts'
import { useCommand } from '../../api/use-operation.ts'
import { teamTexts } from '../../texts/team.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Time } from '../../ui/figures.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import typography from '../../ui/typography.module.css'

const { closing } = teamTexts

/** Lets an owner close the organization, or keep it until the date of deletion; other members see the date only. */
export function CloseOrganization() {
  const organization = usePrincipal().data?.organization
  const close = useCommand('organizations.delete', ['users.me'])
  const keep = useCommand('organizations.restore', ['users.me'])
  if (!organization || organization.sandbox) return null
  const isOwner = organization.role === 'owner'
  if (!isOwner && organization.delete_at === null) return null
  return (
    <Section title={closing.heading}>
      {organization.delete_at === null ? (
        <>
          <p className={typography['muted']}>{closing.text}</p>
          <div>
            <ConfirmButton
              label={closing.closeLabel(organization.name)}
              verb={closing.close}
              kind="danger"
              title={closing.title(organization.name)}
              subject={organization.name}
              text={closing.text}
              cancel={closing.cancel}
              call={['organizations.delete', {}]}
              command={close}
            />
          </div>
        </>
      ) : (
        <>
          <p role="status">
            {closing.until} <Time at={organization.delete_at} />
          </p>
          {isOwner && (
            <div>
              <Button isPending={keep.isPending} onClick={() => keep.mutate({})}>
                {closing.keep}
              </Button>
            </div>
          )}
          {keep.isError && <ProblemNote error={keep.error} />}
        </>
      )}
    </Section>
  )
}
