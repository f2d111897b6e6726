import { Map as MapIcon } from 'lucide-react'
import { useOperation } from '../../../api/use-operation.ts'
import { chooseBaseMap } from '../../../map/base/base-map-control.ts'
import { addPicture } from '../../../map/base/base-maps.ts'
import { toTileSource } from '../../../map/item-layer.tsx'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'

/** Makes the image of an item the background of the map in this browser, over the map of the server and below its names. */
export function BasePictureButton({ itemId, title }: { readonly itemId: string; readonly title: string }) {
  const { data } = useOperation('items.tile.tilejson', { item_id: itemId })
  const source = data && toTileSource(data)
  if (!source) return null
  return (
    <Button icon={MapIcon} onClick={() => chooseBaseMap(addPicture(title, { item_id: itemId, ...source }))}>
      {texts.library.item.useAsBaseMap}
    </Button>
  )
}
