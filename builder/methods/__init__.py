"""Published attacks by name, each inside a dimension. A new one is a file, an import and an entry here."""

from builder.methods.advfever import ADVFEVER
from builder.methods.bert_attack import BERT_ATTACK
from builder.methods.checklist import CHECKLIST
from builder.methods.compattack import COMPATTACK
from builder.methods.method import Method
from builder.methods.scpn import SCPN
from builder.methods.sememe_pso import SEMEME_PSO
from builder.methods.stresstest import STRESSTEST
from builder.methods.t3 import T3
from builder.methods.textbugger import TEXTBUGGER
from builder.methods.textfooler import TEXTFOOLER
from contract.machine.registry import Registry

METHODS: Registry[Method] = Registry(
    "method",
    [
        TEXTBUGGER,
        TEXTFOOLER,
        BERT_ATTACK,
        SEMEME_PSO,
        COMPATTACK,
        T3,
        SCPN,
        ADVFEVER,
        STRESSTEST,
        CHECKLIST,
    ],
)
