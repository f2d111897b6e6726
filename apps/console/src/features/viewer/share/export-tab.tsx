import { ShareLinks } from '../../../share-links/share-links.tsx'
import type { TabProps } from '../tab-props.ts'
import { UrlSection } from './url-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { FileArchive, FileDown, Image as ImageIcon, Map as MapIcon } from 'lucide-react'
import { useMutation } from '@tanstack/react-query'
import { usePlatform } from '../../../api/platform.tsx'
import { useCommand } from '../../../api/use-operation.ts'
import { captureMap } from '../../../map/capture-map.ts'
import { useMap } from '../../../map/map-context.tsx'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { Section } from '../../../ui/screen.tsx'
import layout from '../../../ui/layout.module.css'

const image_px = 2048

/** Downloads of the data as files, and of the view as a picture. */
function DownloadSection({ item, read }: TabProps) {
  const map = useMap()
  const { client } = usePlatform()
  const file = useCommand('items.asset.download')
  const archive = useCommand('items.download')
  const screen = useMutation({ mutationFn: async () => saveFile(await captureMap(map!), `${item.name}-map.png`) })
  const image = useMutation({
    mutationFn: async (input: object) => {
      const bytes = await client.bytes('items.tile.preview', input)
      saveFile(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/png' }), `${item.name}.png`)
    },
  })
  const { picture } = read
  const asset = picture?.asset ?? item.assets[0]!
  const preview = { item_id: item.id, width: image_px, height: image_px, ...picture?.query, ...picture?.overrides }
  const failed = [file, archive, screen, image].find(({ isError }) => isError)
  const fetchFile = (): void =>
    file.mutate({ item_id: item.id, asset_id: asset.id }, { onSuccess: ({ url }) => saveFile(url, '') })
  const fetchArchive = (): void =>
    archive.mutate({ item_id: item.id }, { onSuccess: ({ url, file_name }) => saveFile(url, file_name) })
  return (
    <Section
      title={viewerTexts.download}
      actions={<CopyCall operation="items.asset.download" input={{ item_id: item.id, asset_id: asset.id }} />}
    >
      <div className={layout['columns']}>
        <Button icon={FileDown} isPending={file.isPending} onClick={fetchFile}>
          {[viewerTexts.downloadCog, asset.size_bytes !== null && formatBytes(asset.size_bytes)]
            .filter(Boolean)
            .join(', ')}
        </Button>
        <Button icon={FileArchive} isPending={archive.isPending} onClick={fetchArchive}>
          {viewerTexts.downloadAll}
        </Button>
        <Button icon={MapIcon} isPending={screen.isPending} onClick={() => map && screen.mutate()}>
          {viewerTexts.downloadMap}
        </Button>
        <Button icon={ImageIcon} isPending={image.isPending} onClick={() => image.mutate(preview)}>
          {viewerTexts.downloadImage}
        </Button>
      </div>
      {failed && <ProblemNote error={failed.error} isRead />}
    </Section>
  )
}

/** The exports of the viewer: links for visitors, saved pictures, files, and URLs for other programs. */
export function ExportTab(props: TabProps) {
  return (
    <>
      <ShareLinks target={{ target_type: 'item', target_id: props.item.id }} />
      <ProfileSection {...props} />
      <DownloadSection {...props} />
      <UrlSection {...props} />
    </>
  )
}
