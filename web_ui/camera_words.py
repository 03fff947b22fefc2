"""The sentences of the camera's page in the three languages; the words about a view come from the camera itself."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str, str]] = {
    "page.calibrate": ("摄像头与碗", "攝影機與碗", "Camera and bowl"),
    "calibrate.camera": ("摄像头", "攝影機", "Camera"),
    "calibrate.address": ("手机摄像头地址", "手機攝影機網址", "Address of a phone camera"),
    "calibrate.use": ("用这个", "用這個", "Use this"),
    "calibrate.again": ("再找一次", "再找一次", "Look again"),
    "calibrate.none": ("没有找到摄像头：请插好", "沒有找到攝影機：請插好", "No camera is plugged in"),
    "calibrate.live": ("现场画面", "現場畫面", "Live picture"),
    "calibrate.no_picture": (
        "没有画面。最多两个页面同时看。",
        "沒有畫面。最多兩個頁面同時看。",
        "No picture. At most two pages can watch at a time.",
    ),
    "calibrate.bowl": ("碗", "碗", "The bowl"),
    "calibrate.bowl_how": (
        "放好空碗，碗沿全在画面里，手拿开。",
        "放好空碗，碗沿全在畫面裡，手拿開。",
        "Put the empty bowl in view, all of its rim, and take your hands away.",
    ),
    "calibrate.find": ("找碗沿", "找碗沿", "Find the rim"),
    "calibrate.drag": (
        "线不在碗沿上？拖动圆点，然后保存。",
        "線不在碗沿上？拖動圓點，然後儲存。",
        "Is the line not on the rim? Drag the dots, then save.",
    ),
    "calibrate.save": ("保存碗沿", "儲存碗沿", "Save the rim"),
    "calibrate.quality": ("质量 {n} / 100", "品質 {n} / 100", "Quality {n} of 100"),
    "calibrate.paused": (
        "摄像头被碰过，读数已暂停。取出骰子，点一下重新校准。",
        "攝影機被碰過，讀數已暫停。取出骰子，點一下重新校準。",
        "The camera was moved and reading has paused. Take out the dice and tap to calibrate again.",
    ),
    "calibrate.recalibrate": ("重新校准", "重新校準", "Calibrate again"),
    "calibrate.test": ("试掷", "試擲", "Test throw"),
    "calibrate.test_how": (
        "掷六粒骰子，不计分，看看读得对不对。",
        "擲六粒骰子，不計分，看看讀得對不對。",
        "Throw all six dice: nothing is scored, you see whether they are read.",
    ),
    "calibrate.test_go": ("开始试掷", "開始試擲", "Begin the test throw"),
    "calibrate.waiting": ("请掷……", "請擲……", "Throw now…"),
    "calibrate.cancel": ("不试了", "不試了", "Cancel"),
    "calibrate.read": ("读到", "讀到", "Read"),
    "calibrate.well": ("读得准", "讀得準", "read with certainty"),
    "calibrate.dice": ("登记骰子", "登記骰子", "This table's dice"),
    "calibrate.dice_how": (
        "把六粒骰子平放在碗里，最好 1 到 6 各一面，手拿开。以后见到别的骰子就会问。",
        "把六粒骰子平放在碗裡，最好 1 到 6 各一面，手拿開。以後見到別的骰子就會問。",
        "Lay the six dice flat in the bowl, best one of each value, and take your hands away. Other dice are asked about from then on.",
    ),
    "calibrate.enrol": ("登记", "登記", "Remember them"),
    "calibrate.enrolled": ("已登记", "已登記", "Remembered"),
    "calibrate.more": ("还要再看一次：{what}", "還要再看一次：{what}", "Show once more: {what}"),
    "calibrate.back": ("回到牌桌", "回到牌桌", "Back to the table"),
    "calibrate.working": ("请稍等……", "請稍等……", "One moment…"),
    "calibrate.failed": ("没有成功：网络断了？", "沒有成功：網路斷了？", "That did not work: is the line down?"),
}
_PLACE = {"zh-CN": 0, "zh-TW": 1, "en": 2}


def camera_words(language: str) -> dict[str, str]:
    """All sentences of the page in one language, by key."""
    return {key: said[_PLACE[language]] for key, said in WORDS.items()}
