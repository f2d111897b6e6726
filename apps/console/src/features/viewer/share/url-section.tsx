import type { NewTileToken } from '@swath/client/operations.ts'
import { KeyRound, Terminal } from 'lucide-react'
import { useState } from 'react'
import { useCommand } from '../../../api/use-operation.ts'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Time } from '../../../ui/figures.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import type { TabProps } from '../tab-props.ts'
import styles from '../viewer.module.css'
import { clientUrls } from './client-urls.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const defaultLifetime_s = '604800'

/** Urls of the picture for QGIS, MapLibre, GDAL and others, with a key that is made here. */
export function UrlSection({ item, read }: TabProps) {
  const [lifetime, setLifetime] = useState(defaultLifetime_s)
  const create = useCommand('items.tile.token.create', ['items.tile.token.list'])
  const revoke = useCommand('items.tile.token.revoke', ['items.tile.token.list'])
  const file = useCommand('items.asset.download')
  const { picture } = read
  if (!picture) return null
  const token = revoke.isSuccess ? null : (create.data ?? null)
  const input = { item_id: item.id, name: item.name, expires_in_seconds: Number(lifetime) }
  const make = (): void => {
    revoke.reset()
    create.mutate(input)
  }
  const failed = [create, revoke, file].find(({ isError }) => isError)
  return (
    <Section title={viewerTexts.urls}>
      <p className={typography['note']}>{viewerTexts.urlsHelp}</p>
      <div className={`${layout['spread']} ${styles['row']}`}>
        <SelectField
          label={viewerTexts.lifetime}
          value={lifetime}
          choices={Object.entries(viewerTexts.lifetimes).map(([value, label]) => ({ value, label }))}
          onChange={setLifetime}
        />
        <Button icon={KeyRound} isPending={create.isPending} onClick={make}>
          {viewerTexts.makeUrls}
        </Button>
        <CopyCall operation="items.tile.token.create" input={input} />
      </div>
      {token && <TokenUrls token={token} read={read} onRevoke={() => revoke.mutate({ token_id: token.id })} />}
      {revoke.isSuccess && <p role="status">{viewerTexts.revoked}</p>}
      <div className={`${layout['spread']} ${styles['row']}`}>
        <small className={typography['note']}>{viewerTexts.vsicurlHelp}</small>
        <Button
          icon={Terminal}
          isPending={file.isPending}
          onClick={() => file.mutate({ item_id: item.id, asset_id: picture.asset.id })}
        >
          {viewerTexts.vsicurl}
        </Button>
      </div>
      {file.data && (
        <dl className={layout['stack8']}>
          <AddressRow name={viewerTexts.vsicurl} address={`/vsicurl/${file.data.url}`} />
        </dl>
      )}
      {failed && <ProblemNote error={failed.error} />}
    </Section>
  )
}

interface TokenUrlsProps {
  readonly token: NewTileToken
  readonly read: TabProps['read']
  readonly onRevoke: () => void
}

function TokenUrls({ token, read, onRevoke }: TokenUrlsProps) {
  const { xyz, wmts, tilejson, isExact } = clientUrls(token.urls!, read.picture!)
  return (
    <>
      <dl className={layout['stack8']}>
        <AddressRow name={viewerTexts.xyz} address={xyz} />
        <AddressRow name={viewerTexts.wmts} address={wmts} />
        <AddressRow name={viewerTexts.tilejson} address={tilejson} />
      </dl>
      {!isExact && <small className={typography['note']}>{viewerTexts.savedOnly}</small>}
      <div className={`${layout['spread']} ${styles['row']}`}>
        <small className={typography['note']}>
          {viewerTexts.keyEnds} <Time at={token.expires_at} />
        </small>
        <Button kind="danger" onClick={onRevoke}>
          {viewerTexts.revoke}
        </Button>
      </div>
    </>
  )
}

const AddressRow = ({ name, address }: { name: string; address: string }) => (
  <div className={layout['sidesMiddle']}>
    <div className={`${layout['grid']} ${layout['narrow']}`}>
      <dt className={`${typography['strong']} ${typography['normal']}`}>{name}</dt>
      <dd className={layout['grid']}>
        <code className={`${typography['clip']} ${typography['note']}`} title={address}>
          {address}
        </code>
      </dd>
    </div>
    <CopyButton label={viewerTexts.copy(name)} text={address} />
  </div>
)
