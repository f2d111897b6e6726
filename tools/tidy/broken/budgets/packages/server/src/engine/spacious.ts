export const row0 = 0

// A comment is free.
/* And so
 * is this. */
export const row1 = 1

// A comment is free.
/* And so
 * is this. */
export const row2 = 2

// A comment is free.
/* And so
 * is this. */
export const row3 = 3

// A comment is free.
/* And so
 * is this. */
export const row4 = 4

// A comment is free.
/* And so
 * is this. */
export const row5 = 5

// A comment is free.
/* And so
 * is this. */
export const row6 = 6

// A comment is free.
/* And so
 * is this. */
export const row7 = 7

// A comment is free.
/* And so
 * is this. */
export const row8 = 8

// A comment is free.
/* And so
 * is this. */
export const row9 = 9

// A comment is free.
/* And so
 * is this. */
export const row10 = 10

// A comment is free.
/* And so
 * is this. */
export const row11 = 11

// A comment is free.
/* And so
 * is this. */
export const row12 = 12

// A comment is free.
/* And so
 * is this. */
export const row13 = 13

// A comment is free.
/* And so
 * is this. */
export const row14 = 14

// A comment is free.
/* And so
 * is this. */
export const row15 = 15

// A comment is free.
/* And so
 * is this. */
export const row16 = 16

// A comment is free.
/* And so
 * is this. */
export const row17 = 17

// A comment is free.
/* And so
 * is this. */
export const row18 = 18

// A comment is free.
/* And so
 * is this. */
export const row19 = 19

// A comment is free.
/* And so
 * is this. */
export const row20 = 20

// A comment is free.
/* And so
 * is this. */
export const row21 = 21

// A comment is free.
/* And so
 * is this. */
export const row22 = 22

// A comment is free.
/* And so
 * is this. */
export const row23 = 23

// A comment is free.
/* And so
 * is this. */
export const row24 = 24

// A comment is free.
/* And so
 * is this. */
export const row25 = 25

// A comment is free.
/* And so
 * is this. */
export const row26 = 26

// A comment is free.
/* And so
 * is this. */
export const row27 = 27

// A comment is free.
/* And so
 * is this. */
export const row28 = 28

// A comment is free.
/* And so
 * is this. */
export const row29 = 29

// A comment is free.
/* And so
 * is this. */
export const row30 = 30

// A comment is free.
/* And so
 * is this. */
export const row31 = 31

// A comment is free.
/* And so
 * is this. */
export const row32 = 32

// A comment is free.
/* And so
 * is this. */
export const row33 = 33

// A comment is free.
/* And so
 * is this. */
export const row34 = 34

// A comment is free.
/* And so
 * is this. */
export const row35 = 35

// A comment is free.
/* And so
 * is this. */
export const row36 = 36

// A comment is free.
/* And so
 * is this. */
export const row37 = 37

// A comment is free.
/* And so
 * is this. */
export const row38 = 38

// A comment is free.
/* And so
 * is this. */
export const row39 = 39

// A comment is free.
/* And so
 * is this. */
export const row40 = 40

// A comment is free.
/* And so
 * is this. */
export const row41 = 41

// A comment is free.
/* And so
 * is this. */
export const row42 = 42

// A comment is free.
/* And so
 * is this. */
export const row43 = 43

// A comment is free.
/* And so
 * is this. */
export const row44 = 44

// A comment is free.
/* And so
 * is this. */
export const row45 = 45

// A comment is free.
/* And so
 * is this. */
export const row46 = 46

// A comment is free.
/* And so
 * is this. */
export const row47 = 47

// A comment is free.
/* And so
 * is this. */
export const row48 = 48

// A comment is free.
/* And so
 * is this. */
export const row49 = 49

// A comment is free.
/* And so
 * is this. */
export const row50 = 50

// A comment is free.
/* And so
 * is this. */
export const row51 = 51

// A comment is free.
/* And so
 * is this. */
export const row52 = 52

// A comment is free.
/* And so
 * is this. */
export const row53 = 53

// A comment is free.
/* And so
 * is this. */
export const row54 = 54

// A comment is free.
/* And so
 * is this. */
export const row55 = 55

// A comment is free.
/* And so
 * is this. */
export const row56 = 56

// A comment is free.
/* And so
 * is this. */
export const row57 = 57

// A comment is free.
/* And so
 * is this. */
export const row58 = 58

// A comment is free.
/* And so
 * is this. */
export const row59 = 59

// A comment is free.
/* And so
 * is this. */
export const row60 = 60

// A comment is free.
/* And so
 * is this. */
export const row61 = 61

// A comment is free.
/* And so
 * is this. */
export const row62 = 62

// A comment is free.
/* And so
 * is this. */
export const row63 = 63

// A comment is free.
/* And so
 * is this. */
export const row64 = 64

// A comment is free.
/* And so
 * is this. */
export const row65 = 65

// A comment is free.
/* And so
 * is this. */
export const row66 = 66

// A comment is free.
/* And so
 * is this. */
export const row67 = 67

// A comment is free.
/* And so
 * is this. */
export const row68 = 68

// A comment is free.
/* And so
 * is this. */
export const row69 = 69

// A comment is free.
/* And so
 * is this. */
export const row70 = 70

// A comment is free.
/* And so
 * is this. */
export const row71 = 71

// A comment is free.
/* And so
 * is this. */
export const row72 = 72

// A comment is free.
/* And so
 * is this. */
export const row73 = 73

// A comment is free.
/* And so
 * is this. */
export const row74 = 74

// A comment is free.
/* And so
 * is this. */
export const row75 = 75

// A comment is free.
/* And so
 * is this. */
export const row76 = 76

// A comment is free.
/* And so
 * is this. */
export const row77 = 77

// A comment is free.
/* And so
 * is this. */
export const row78 = 78

// A comment is free.
/* And so
 * is this. */
export const row79 = 79

// A comment is free.
/* And so
 * is this. */
export const row80 = 80

// A comment is free.
/* And so
 * is this. */
export const row81 = 81

// A comment is free.
/* And so
 * is this. */
export const row82 = 82

// A comment is free.
/* And so
 * is this. */
export const row83 = 83

// A comment is free.
/* And so
 * is this. */
export const row84 = 84

// A comment is free.
/* And so
 * is this. */
export const row85 = 85

// A comment is free.
/* And so
 * is this. */
export const row86 = 86

// A comment is free.
/* And so
 * is this. */
export const row87 = 87

// A comment is free.
/* And so
 * is this. */
export const row88 = 88

// A comment is free.
/* And so
 * is this. */
export const row89 = 89

// A comment is free.
/* And so
 * is this. */
export const row90 = 90

// A comment is free.
/* And so
 * is this. */
export const row91 = 91

// A comment is free.
/* And so
 * is this. */
export const row92 = 92

// A comment is free.
/* And so
 * is this. */
export const row93 = 93

// A comment is free.
/* And so
 * is this. */
export const row94 = 94

// A comment is free.
/* And so
 * is this. */
export const row95 = 95

// A comment is free.
/* And so
 * is this. */
export const row96 = 96

// A comment is free.
/* And so
 * is this. */
export const row97 = 97

// A comment is free.
/* And so
 * is this. */
export const row98 = 98

// A comment is free.
/* And so
 * is this. */
export const row99 = 99

// A comment is free.
/* And so
 * is this. */
export const row100 = 100

// A comment is free.
/* And so
 * is this. */
export const row101 = 101

// A comment is free.
/* And so
 * is this. */
export const row102 = 102

// A comment is free.
/* And so
 * is this. */
export const row103 = 103

// A comment is free.
/* And so
 * is this. */
export const row104 = 104

// A comment is free.
/* And so
 * is this. */
export const row105 = 105

// A comment is free.
/* And so
 * is this. */
export const row106 = 106

// A comment is free.
/* And so
 * is this. */
export const row107 = 107

// A comment is free.
/* And so
 * is this. */
export const row108 = 108

// A comment is free.
/* And so
 * is this. */
export const row109 = 109

// A comment is free.
/* And so
 * is this. */
export const row110 = 110

// A comment is free.
/* And so
 * is this. */
export const row111 = 111

// A comment is free.
/* And so
 * is this. */
export const row112 = 112

// A comment is free.
/* And so
 * is this. */
export const row113 = 113

// A comment is free.
/* And so
 * is this. */
export const row114 = 114

// A comment is free.
/* And so
 * is this. */
export const row115 = 115

// A comment is free.
/* And so
 * is this. */
export const row116 = 116

// A comment is free.
/* And so
 * is this. */
export const row117 = 117

// A comment is free.
/* And so
 * is this. */
export const row118 = 118

// A comment is free.
/* And so
 * is this. */
export const row119 = 119

// A comment is free.
/* And so
 * is this. */
export const row120 = 120

// A comment is free.
/* And so
 * is this. */
export const row121 = 121

// A comment is free.
/* And so
 * is this. */
export const row122 = 122

// A comment is free.
/* And so
 * is this. */
export const row123 = 123

// A comment is free.
/* And so
 * is this. */
export const row124 = 124

// A comment is free.
/* And so
 * is this. */
export const row125 = 125

// A comment is free.
/* And so
 * is this. */
export const row126 = 126

// A comment is free.
/* And so
 * is this. */
export const row127 = 127

// A comment is free.
/* And so
 * is this. */
export const row128 = 128

// A comment is free.
/* And so
 * is this. */
export const row129 = 129

// A comment is free.
/* And so
 * is this. */
export const row130 = 130

// A comment is free.
/* And so
 * is this. */
export const row131 = 131

// A comment is free.
/* And so
 * is this. */
export const row132 = 132

// A comment is free.
/* And so
 * is this. */
export const row133 = 133

// A comment is free.
/* And so
 * is this. */
export const row134 = 134

// A comment is free.
/* And so
 * is this. */
export const row135 = 135

// A comment is free.
/* And so
 * is this. */
export const row136 = 136

// A comment is free.
/* And so
 * is this. */
export const row137 = 137

// A comment is free.
/* And so
 * is this. */
export const row138 = 138

// A comment is free.
/* And so
 * is this. */
export const row139 = 139

// A comment is free.
/* And so
 * is this. */
export const row140 = 140

// A comment is free.
/* And so
 * is this. */
export const row141 = 141

// A comment is free.
/* And so
 * is this. */
export const row142 = 142

// A comment is free.
/* And so
 * is this. */
export const row143 = 143

// A comment is free.
/* And so
 * is this. */
export const row144 = 144

// A comment is free.
/* And so
 * is this. */
export const row145 = 145

// A comment is free.
/* And so
 * is this. */
export const row146 = 146

// A comment is free.
/* And so
 * is this. */
export const row147 = 147

// A comment is free.
/* And so
 * is this. */
export const row148 = 148

// A comment is free.
/* And so
 * is this. */
export const row149 = 149

// A comment is free.
/* And so
 * is this. */
export const row150 = 150

// A comment is free.
/* And so
 * is this. */
export const row151 = 151

// A comment is free.
/* And so
 * is this. */
export const row152 = 152

// A comment is free.
/* And so
 * is this. */
export const row153 = 153

// A comment is free.
/* And so
 * is this. */
export const row154 = 154

// A comment is free.
/* And so
 * is this. */
export const row155 = 155

// A comment is free.
/* And so
 * is this. */
export const row156 = 156

// A comment is free.
/* And so
 * is this. */
export const row157 = 157

// A comment is free.
/* And so
 * is this. */
export const row158 = 158

// A comment is free.
/* And so
 * is this. */
export const row159 = 159

// A comment is free.
/* And so
 * is this. */
export const row160 = 160

// A comment is free.
/* And so
 * is this. */
export const row161 = 161

// A comment is free.
/* And so
 * is this. */
export const row162 = 162

// A comment is free.
/* And so
 * is this. */
export const row163 = 163

// A comment is free.
/* And so
 * is this. */
export const row164 = 164

// A comment is free.
/* And so
 * is this. */
export const row165 = 165

// A comment is free.
/* And so
 * is this. */
export const row166 = 166

// A comment is free.
/* And so
 * is this. */
export const row167 = 167

// A comment is free.
/* And so
 * is this. */
export const row168 = 168

// A comment is free.
/* And so
 * is this. */
export const row169 = 169

// A comment is free.
/* And so
 * is this. */
export const row170 = 170

// A comment is free.
/* And so
 * is this. */
export const row171 = 171

// A comment is free.
/* And so
 * is this. */
export const row172 = 172

// A comment is free.
/* And so
 * is this. */
export const row173 = 173

// A comment is free.
/* And so
 * is this. */
export const row174 = 174

// A comment is free.
/* And so
 * is this. */
export const row175 = 175

// A comment is free.
/* And so
 * is this. */
export const row176 = 176

// A comment is free.
/* And so
 * is this. */
export const row177 = 177

// A comment is free.
/* And so
 * is this. */
export const row178 = 178

// A comment is free.
/* And so
 * is this. */
export const row179 = 179

// A comment is free.
/* And so
 * is this. */
export const row180 = 180

// A comment is free.
/* And so
 * is this. */
export const row181 = 181

// A comment is free.
/* And so
 * is this. */
export const row182 = 182

// A comment is free.
/* And so
 * is this. */
export const row183 = 183

// A comment is free.
/* And so
 * is this. */
export const row184 = 184

// A comment is free.
/* And so
 * is this. */
export const row185 = 185

// A comment is free.
/* And so
 * is this. */
export const row186 = 186

// A comment is free.
/* And so
 * is this. */
export const row187 = 187

// A comment is free.
/* And so
 * is this. */
export const row188 = 188

// A comment is free.
/* And so
 * is this. */
export const row189 = 189

// A comment is free.
/* And so
 * is this. */
export const row190 = 190

// A comment is free.
/* And so
 * is this. */
export const row191 = 191

// A comment is free.
/* And so
 * is this. */
export const row192 = 192

// A comment is free.
/* And so
 * is this. */
export const row193 = 193

// A comment is free.
/* And so
 * is this. */
export const row194 = 194

// A comment is free.
/* And so
 * is this. */
export const row195 = 195

// A comment is free.
/* And so
 * is this. */
export const row196 = 196

// A comment is free.
/* And so
 * is this. */
export const row197 = 197

// A comment is free.
/* And so
 * is this. */
export const row198 = 198

// A comment is free.
/* And so
 * is this. */
export const row199 = 199

// A comment is free.
/* And so
 * is this. */
