import { MapIcon, Plus } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { TileToken } from '@swath/client/operations.ts'
import { isForbidden } from '../../api/problem.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { buildTexts } from '../../texts/build.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/screen.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { BuildScreen } from './build-screen.tsx'
import { NewTileToken } from './new-tile-token.tsx'
import layout from '../../ui/layout.module.css'

const words = buildTexts.tiles

/** The tokens of this person for map programs, which send no headers. */
export function TileTokens() {
  const tokens = useOperation('items.tile.token.list', {})
  const [isCreating, setCreating] = useState(false)
  return (
    <BuildScreen
      actions={
        <>
          <CopyCall operation="items.tile.token.list" input={{}} />
          {!isForbidden(tokens.error) && (
            <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
              {words.new}
            </Button>
          )}
        </>
      }
    >
      {isCreating && <NewTileToken onDone={() => setCreating(false)} />}
      <QueryView query={tokens} rows={3}>
        {({ tokens: known }) =>
          known.length === 0 && !isCreating ? (
            <EmptyState icon={MapIcon} title={words.none}>
              <p>{words.noneHelp}</p>
              <Link to="/library" search={keepView}>
                {words.toLibrary}
              </Link>
            </EmptyState>
          ) : (
            known.map((token) => <TokenRow key={token.id} token={token} />)
          )
        }
      </QueryView>
    </BuildScreen>
  )
}

function TokenRow({ token }: { token: TileToken }) {
  const { name, prefix, created_at, expires_at } = token
  return (
    <Section title={name || words.unnamed}>
      <Facts
        facts={[
          [words.prefix, <Identifier key="prefix" id={`${prefix}…`} />],
          [words.target, <Target key="target" token={token} />],
          [buildTexts.key.created, <Time key="created" at={created_at} />],
          [buildTexts.key.ends, <Time key="ends" at={expires_at} />],
        ]}
      />
      <div className={layout['wrap']}>
        <RevokeToken token={token} />
      </div>
    </Section>
  )
}

/** The name of the item, with the way to it, or of the collection. */
function Target({ token: { item_id, collection_id } }: { token: TileToken }) {
  const item = useOperation('items.get', { item_id: item_id ?? '' }, { enabled: item_id !== null })
  const collection = useOperation(
    'stac.collections.get',
    { collection_id: collection_id ?? '' },
    { enabled: collection_id !== null },
  )
  if (!item_id) return collection.data?.title ?? words.collection
  return (
    <Link to="/library/items/$itemId" params={{ itemId: item_id }} search={keepView}>
      {item.data?.item.name ?? words.item}
    </Link>
  )
}

function RevokeToken({ token: { id, name } }: { token: TileToken }) {
  const revoke = useCommand('items.tile.token.revoke', ['items.tile.token.list'])
  const input = { token_id: id }
  return (
    <ConfirmButton
      label={buildTexts.revokeNamed(name)}
      verb={buildTexts.revoke}
      kind="danger"
      title={words.revokeTitle}
      subject={name || words.unnamed}
      text={words.revokeText}
      cancel={buildTexts.keep}
      call={['items.tile.token.revoke', input]}
      command={revoke}
    />
  )
}
