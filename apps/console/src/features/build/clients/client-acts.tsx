import { useState } from 'react'
import type { OAuthClient } from '@swath/client/operations.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton, type ConfirmButtonProps } from '../../../ui/confirm-button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import layout from '../../../ui/layout.module.css'

const words = credentialsTexts.clients
const affected = ['oauth_clients.list'] as const
const defaultOverlap = '24'

type RotateCommand = ConfirmButtonProps<'oauth_clients.rotate_secret'>['command']

export interface ClientActsProps {
  readonly client: OAuthClient
  /** Of the card, which shows the new secret. */
  readonly rotate: RotateCommand
  readonly onChange: () => void
}

/** Changes a client, replaces its secret, switches it off and on, and deletes it. */
export function ClientActs({ client, rotate, onChange }: ClientActsProps) {
  const { client_id, name, type } = client
  const remove = useCommand('oauth_clients.delete', affected)
  return (
    <div className={layout['wrap']}>
      <Button aria-label={words.changeNamed(name)} onClick={onChange}>
        {words.change}
      </Button>
      {type === 'confidential' && <RotateButton client={client} rotate={rotate} />}
      <SwitchButton client={client} />
      <ConfirmButton
        label={words.removeNamed(name)}
        verb={words.remove}
        kind="danger"
        title={words.removeTitle(name)}
        subject={name}
        text={words.removeText}
        cancel={words.keep}
        call={['oauth_clients.delete', { client_id }]}
        command={remove}
      />
    </div>
  )
}

function RotateButton({ client: { client_id, name }, rotate }: Omit<ClientActsProps, 'onChange'>) {
  const [overlap, setOverlap] = useState(defaultOverlap)
  return (
    <ConfirmButton
      label={words.rotateNamed(name)}
      verb={words.rotate}
      kind="plain"
      title={words.rotateTitle(name)}
      subject={name}
      text={words.rotateText}
      cancel={words.keep}
      call={['oauth_clients.rotate_secret', { client_id, overlap_hours: Number(overlap) }]}
      command={rotate}
    >
      <SelectField
        label={words.overlap}
        value={overlap}
        onChange={setOverlap}
        choices={Object.entries(words.overlaps).map(([value, label]) => ({ value, label }))}
      />
    </ConfirmButton>
  )
}

function SwitchButton({ client: { client_id, name, disabled_at } }: { client: OAuthClient }) {
  const update = useCommand('oauth_clients.update', affected)
  if (disabled_at === null)
    return (
      <ConfirmButton
        label={words.disableNamed(name)}
        verb={words.disable}
        kind="plain"
        confirmKind="danger"
        title={words.disableTitle(name)}
        subject={name}
        text={words.disableText}
        cancel={words.keep}
        call={['oauth_clients.update', { client_id, disabled: true }]}
        command={update}
      />
    )
  return (
    <>
      <Button
        aria-label={words.enableNamed(name)}
        isPending={update.isPending}
        onClick={() => update.mutate({ client_id, disabled: false })}
      >
        {words.enable}
      </Button>
      {update.isError && <ProblemNote error={update.error} />}
    </>
  )
}
