/** For links to other places: the map stays where it is. */
export const keepView = ({ v }: { v?: string }): { v?: string } => (v ? { v } : {})
