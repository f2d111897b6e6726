import type { VisualizationProfile } from '@swath/client/operations.ts'
import { Save, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { uiTexts } from '../../../texts/ui.ts'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { toMeasuredInput } from '../measure/measured.ts'
import type { Picture } from '../picture/picture.ts'
import { emptyStyle } from '../state/style.ts'
import type { TabProps } from '../tab-props.ts'
import styles from '../viewer.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const list = 'visualization.profiles.list' as const

/** Pictures that are saved with the item: for everyone who sees it, and for map clients. */
export function ProfileSection(props: TabProps) {
  const { viewer, item } = props
  const profiles = useOperation(list, { item_id: item.id })
  const makeDefault = useCommand('visualization.profile.set_default', [list])
  const [doomed, setDoomed] = useState<VisualizationProfile | null>(null)
  return (
    <Section title={viewerTexts.profiles}>
      <QueryView query={profiles} rows={1}>
        {({ profiles: rows }) => (
          <>
            {rows.length === 0 && <p className={typography['note']}>{viewerTexts.noProfiles}</p>}
            {rows.map((profile) => (
              <div key={profile.id} className={`${layout['spread']} ${styles['row']}`}>
                <span>{profile.name}</span>
                <Button
                  kind="quiet"
                  onClick={() =>
                    viewer.change({ style: { ...emptyStyle, preset: profile.id, asset: profile.asset_key } })
                  }
                >
                  {viewerTexts.profileShow}
                </Button>
                {profile.is_default ? (
                  <Badge icon={Star} tone="active">
                    {viewerTexts.profileDefault}
                  </Badge>
                ) : (
                  <Button kind="quiet" onClick={() => makeDefault.mutate({ item_id: item.id, profile_id: profile.id })}>
                    {viewerTexts.makeDefault}
                  </Button>
                )}
                <Button
                  kind="quiet"
                  icon={Trash2}
                  aria-label={viewerTexts.profileDelete(profile.name)}
                  onClick={() => setDoomed(profile)}
                />
              </div>
            ))}
          </>
        )}
      </QueryView>
      {makeDefault.isError && <ProblemNote error={makeDefault.error} />}
      <SaveProfile {...props} />
      {doomed && <DeleteProfile profile={doomed} onClose={() => setDoomed(null)} />}
    </Section>
  )
}

const toColormap = (classes: NonNullable<Picture['classes']>): Record<string, string> =>
  Object.fromEntries(classes.map(({ value, color }) => [value, color]))

function SaveProfile({ viewer, item, read }: TabProps) {
  const [name, setName] = useState('')
  const save = useCommand('visualization.profile.create', [list])
  const { picture } = read
  if (!picture) return null
  const content = toMeasuredInput(read)
  const config = {
    ...content,
    ...(picture.range ? { rescale: picture.range } : {}),
    ...(picture.colormap ? { colormap: picture.colormap } : {}),
    ...(picture.classes ? { colormap: toColormap(picture.classes) } : {}),
    ...(picture.gamma === 1 ? {} : { gamma: picture.gamma }),
    ...(picture.tone ? { color_formula: picture.tone } : {}),
    ...(picture.stretch ? { stretch: picture.stretch } : {}),
  }
  const type = content.expression ? 'expression' : picture.isSingle ? 'singleband' : 'rgb'
  const submit = (): void => {
    if (name.trim() === '') return
    const input = { item_id: item.id, name: name.trim(), type, config, asset_key: picture.asset.key } as const
    save.mutate(input, {
      onSuccess: ({ id }) => {
        setName('')
        viewer.change({ style: { ...emptyStyle, preset: id, asset: viewer.state.style.asset } })
      },
    })
  }
  return (
    <>
      <form
        className={`${layout['spread']} ${styles['row']}`}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField label={viewerTexts.profileName} value={name} onChange={setName} />
        <Button type="submit" icon={Save} isPending={save.isPending}>
          {viewerTexts.profileSave}
        </Button>
      </form>
      {save.isError && <ProblemNote error={save.error} />}
    </>
  )
}

function DeleteProfile({ profile, onClose }: { profile: VisualizationProfile; onClose: () => void }) {
  const remove = useCommand('visualization.profile.delete', [list])
  const confirm = (): void =>
    remove.mutate({ item_id: profile.item_id, profile_id: profile.id }, { onSuccess: onClose })
  return (
    <Dialog
      title={viewerTexts.profileDeleteTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          <Button kind="danger" isPending={remove.isPending} onClick={confirm}>
            {viewerTexts.delete}
          </Button>
        </>
      }
    >
      <p>{viewerTexts.profileDeleteText(profile.name)}</p>
      {remove.isError && <ProblemNote error={remove.error} />}
    </Dialog>
  )
}
